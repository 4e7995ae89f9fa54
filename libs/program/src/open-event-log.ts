import { type Config, type Logger, listOf } from '#libs/config';
import {
  type EventLog,
  type KafkaConnectionOptions,
  KafkaEventLog,
  type OnStored,
  openTopics,
  PostgresEventLog,
} from '#libs/event-log';
import { ArchivedLog } from '#libs/log-archive';

export interface EventLogOptions {
  /** Whose segments the archive must hold; left out where that is not known yet. */
  logId?: string | undefined;
  /** Told of each batch that a broker stores. */
  onStored?: OnStored;
}

/**
 * The log that the configuration names, its topics made or verified: Kafka where there are brokers, otherwise the one
 * in the database. What was moved to LOG_ARCHIVE is read like the rest.
 * @throws TopicsError where the topics are not such as the product can run on
 */
export async function openEventLog(
  config: Config,
  databaseUrl: string,
  logger: Logger,
  options: EventLogOptions = {},
): Promise<EventLog> {
  const { kafkaBrokers, kafkaReplication, logPartitions: partitions } = config;
  if (kafkaBrokers) {
    const remarks = await openTopics({
      ...kafkaConnection(config, logger),
      partitions,
      ...(kafkaReplication !== undefined && { replication: kafkaReplication }),
    });
    for (const remark of remarks) logger.warn(remark);
  }
  return connectEventLog(config, databaseUrl, logger, options);
}

/**
 * The log that the configuration names, as it is: nothing is made or verified. What was moved to LOG_ARCHIVE is read
 * like the rest.
 */
export function connectEventLog(
  config: Config,
  databaseUrl: string,
  logger: Logger,
  { logId, onStored }: EventLogOptions = {},
): EventLog {
  const log = connectBareLog(config, databaseUrl, logger, onStored);
  return new ArchivedLog(log, { folder: config.logArchive, ...(logId !== undefined && { logId }) });
}

function connectBareLog(config: Config, databaseUrl: string, logger: Logger, onStored?: OnStored): EventLog {
  const partitions = config.logPartitions;
  const onTrouble = (error: Error) =>
    logger.warn({ err: error }, 'the log lost a connection and joins again');
  const onAppendsFailing = (failure: Error | null) =>
    failure
      ? logger.error({ err: failure }, `nothing can be appended to the log: ${failure.message}`)
      : logger.info('appends to the log succeed again');
  const options = { partitions, onTrouble, onAppendsFailing };
  return config.kafkaBrokers
    ? new KafkaEventLog({ ...kafkaConnection(config, logger), ...options, ...(onStored && { onStored }) })
    : new PostgresEventLog({ url: databaseUrl, ...options });
}

function kafkaConnection(config: Config, logger: Logger): KafkaConnectionOptions {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername, kafkaSaslPassword } = config;
  return {
    brokers: listOf(config.kafkaBrokers!),
    ssl: config.kafkaSsl,
    ...(mechanism && {
      sasl: { mechanism, username: kafkaSaslUsername!, password: kafkaSaslPassword! } as never,
    }),
    onClientLog: ({ level, from, message }) => logger.debug({ context: 'kafkajs', from, level }, message),
  };
}
