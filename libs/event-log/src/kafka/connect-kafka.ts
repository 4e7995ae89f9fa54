import { randomInt } from 'node:crypto';
import type { KafkaConfig, Kafka as KafkaJs } from 'kafkajs';
import { Kafka, logLevel } from './kafkajs.ts';

/** Messages of kafkajs about connections, retries and rebalances; for the program's own log. */
interface KafkaClientLog {
  level: 'error' | 'warn' | 'info';
  /** The part of the client, such as `Connection`. */
  from: string;
  message: string;
}

export interface KafkaConnectionOptions {
  /** KAFKA_BROKERS, as host:port. */
  brokers: string[];
  ssl?: KafkaConfig['ssl'];
  sasl?: KafkaConfig['sasl'];
  /** Unset: silent, because kafkajs logs errors that it then retries. */
  onClientLog?: (entry: KafkaClientLog) => void;
}

/** About 1.5 s in all if the broker refuses at once: then the caller gets the error that the log is not available. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 5 };
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;

const LEVELS: Record<number, KafkaClientLog['level']> = {
  [logLevel.ERROR]: 'error',
  [logLevel.WARN]: 'warn',
  [logLevel.INFO]: 'info',
};

/** The client of every part of this adapter; it connects nothing yet. */
export function connectKafka({ brokers, ssl, sasl, onClientLog }: KafkaConnectionOptions): KafkaJs {
  return new Kafka({
    // Every part begins with the first of the list, and would wait for one that accepts connections only.
    brokers: () => [brokers[randomInt(brokers.length)]!],
    clientId: 'posture',
    ...(ssl !== undefined && { ssl }),
    ...(sasl !== undefined && { sasl }),
    retry: RETRY,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    logLevel: onClientLog ? logLevel.WARN : logLevel.NOTHING,
    logCreator:
      () =>
      ({ level, namespace, log }) => {
        onClientLog?.({ level: LEVELS[level] ?? 'info', from: namespace, message: log.message });
      },
  });
}
