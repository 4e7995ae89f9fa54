import kafkajs from 'kafkajs';

// The package is CommonJS; Node's ESM loader sees only its default export for certain, not all of its names.
export const { AssignerProtocol, CompressionTypes, ConfigResourceTypes, Kafka, logLevel, Partitioners } =
  kafkajs;
