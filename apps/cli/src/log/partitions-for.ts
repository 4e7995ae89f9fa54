import type { Config } from '#libs/config';
import { usageError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

/**
 * How many partitions a log is brought into: as many as it has.
 * @throws CliError exit 2 if LOG_PARTITIONS was set to something else
 */
export function partitionsFor(count: number, { logPartitions }: Config, { env }: Terminal): number {
  if (env.LOG_PARTITIONS && logPartitions !== count) {
    throw usageError(
      `the log in the file has ${count} partitions, but LOG_PARTITIONS is ${logPartitions}: set it to ${count}`,
    );
  }
  return count;
}

/** The required settings of the service after the import. */
export const startText = (partitions: number): string =>
  partitions === DEFAULT_PARTITIONS ? '' : `Start      the service with LOG_PARTITIONS=${partitions}\n`;

const DEFAULT_PARTITIONS = 12;
