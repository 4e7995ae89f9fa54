export interface KafkaNode {
  readonly address: string;
  readonly pid: number | undefined;
  readonly output: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface KafkaCluster {
  /** For KAFKA_BROKERS. */
  readonly brokers: string;
  readonly nodes: readonly KafkaNode[];
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export function startKafka(options: {
  directory: string;
  nodes?: number;
  port?: number;
  settings?: Record<string, string>;
}): Promise<KafkaCluster>;

export function whyNoBroker(): string | undefined;
