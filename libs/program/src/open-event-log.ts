import type { Config, Logger } from '#libs/config';
import {
  type EventLog,
  type KafkaConnectionOptions,
  KafkaEventLog,
  openTopics,
  PostgresEventLog,
} from '#libs/event-log';

/**
 * The log that the configuration names: Kafka where there are brokers, otherwise the one in the database.
 * @throws TopicsError where the topics are not such as the product can run on
 */
export async function openEventLog(config: Config, databaseUrl: string, logger: Logger): Promise<EventLog> {
  const partitions = config.logPartitions;
  const onTrouble = (error: Error) =>
    logger.warn({ err: error }, 'the log lost a connection and joins again');
  if (!config.kafkaBrokers) return new PostgresEventLog({ url: databaseUrl, partitions, onTrouble });
  const connection = kafkaConnection(config, logger);
  const { kafkaReplication } = config;
  const remarks = await openTopics({
    ...connection,
    partitions,
    ...(kafkaReplication !== undefined && { replication: kafkaReplication }),
  });
  for (const remark of remarks) logger.warn(remark);
  return new KafkaEventLog({ ...connection, partitions, onTrouble });
}

function kafkaConnection(config: Config, logger: Logger): KafkaConnectionOptions {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername, kafkaSaslPassword } = config;
  return {
    brokers: config.kafkaBrokers!.split(',').map((broker) => broker.trim()),
    ssl: config.kafkaSsl,
    ...(mechanism && {
      sasl: { mechanism, username: kafkaSaslUsername!, password: kafkaSaslPassword! } as never,
    }),
    onClientLog: ({ level, from, message }) => logger.debug({ context: 'kafkajs', from, level }, message),
  };
}
