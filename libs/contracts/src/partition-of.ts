import { createRequire } from 'node:module';

// The package is CommonJS with a default export that Node's ESM loader does not see through.
const murmurhash = createRequire(import.meta.url)('murmurhash') as {
  v2(key: Uint8Array, seed: number): number;
};

/** The seed of Kafka's default partitioner, so that its own clients find the same partition for a key. */
const KAFKA_SEED = 0x9747b28c;

/** Partition of a key, in [0, partitions); a key never moves, so the count is chosen once (R-ENT-6). */
export const partitionOf = (key: string, partitions: number): number =>
  (murmurhash.v2(Buffer.from(key), KAFKA_SEED) & 0x7fffffff) % partitions;
