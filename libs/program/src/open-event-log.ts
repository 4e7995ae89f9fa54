import { readFileSync } from 'node:fs';
import { type Config, type Logger, listOf } from '#libs/config';
import {
  type EventLog,
  INBOX_TOPICS,
  type KafkaConnectionOptions,
  KafkaEventLog,
  type OnStored,
  openTopics,
  PostgresEventLog,
  TOPICS,
} from '#libs/event-log';
import { ArchivedLog } from '#libs/log-archive';

export interface EventLogOptions {
  /** Id of the log whose segments the archive must contain; undefined if it is not known yet. */
  logId?: string | undefined;
  /** Called for each batch that a broker stores. */
  onStored?: OnStored;
}

/**
 * The configured log, its topics created or verified: Kafka if there are brokers, otherwise the one in the database.
 * Records that were moved to LOG_ARCHIVE are read like the others.
 * @throws TopicsError if the product cannot run with the topics
 */
export async function openEventLog(
  config: Config,
  databaseUrl: string,
  logger: Logger,
  options: EventLogOptions = {},
): Promise<EventLog> {
  const { kafkaBrokers, kafkaInbox, kafkaReplication, logPartitions: partitions } = config;
  if (kafkaBrokers) {
    const remarks = await openTopics({
      ...kafkaConnection(config, logger),
      partitions,
      topics: kafkaInbox ? [...TOPICS, ...INBOX_TOPICS] : TOPICS,
      ...(kafkaReplication !== undefined && { replication: kafkaReplication }),
    });
    for (const remark of remarks) logger.warn(remark);
  }
  return connectEventLog(config, databaseUrl, logger, options);
}

/**
 * The configured log, without creating or verifying topics. Records that were moved to LOG_ARCHIVE are read like the
 * others.
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
  const onTrouble = (error: Error) => logger.warn({ err: error }, 'event log: connection lost, reconnecting');
  const onAppendsFailing = (failure: Error | null) =>
    failure
      ? logger.error({ err: failure }, `event log: appends fail: ${failure.message}`)
      : logger.info('event log: appends succeed again');
  const options = { partitions, onTrouble, onAppendsFailing };
  return config.kafkaBrokers
    ? new KafkaEventLog({ ...kafkaConnection(config, logger), ...options, ...(onStored && { onStored }) })
    : new PostgresEventLog({ url: databaseUrl, ...options });
}

function kafkaConnection(config: Config, logger: Logger): KafkaConnectionOptions {
  const { kafkaCaFile, kafkaSaslMechanism: mechanism, kafkaSaslUsername, kafkaSaslPassword } = config;
  return {
    brokers: listOf(config.kafkaBrokers!),
    ssl: config.kafkaSsl && (kafkaCaFile === undefined || authoritiesOf(kafkaCaFile)),
    ...(mechanism && {
      sasl: { mechanism, username: kafkaSaslUsername!, password: kafkaSaslPassword! } as never,
    }),
    onClientLog: ({ level, from, message }) => logger.debug({ context: 'kafkajs', from, level }, message),
  };
}

/** Kafkajs copies the options for each new connection, so a renewed file needs no restart. */
const authoritiesOf = (file: string) => ({
  get ca() {
    return readFileSync(file);
  },
});
