import { ClockError } from '#libs/clock';
import { isTransientError } from '#libs/database';
import { BatchServer, LogUnavailableError } from '#libs/event-log';
import { OtherSecretError } from '#libs/sealing';
import { KeysUnavailableError } from '#libs/subject-keys';
import { atScrape, partitionsHeld, partitionsStopped } from '#libs/telemetry';
import type { ConsumerGroup } from './consumer-groups.ts';
import type { Program } from './open-program.ts';

/**
 * Delivers the topics of a group to the controllers that name them, as a member of the group. A partition waits while the
 * database or the log is unavailable, or fails with a transient error (`isTransientError`). After any other error the
 * partition stops until it is assigned again.
 */
export const consumerServer = (
  { log, logger }: Pick<Program, 'log' | 'logger'>,
  { name, topics, batchRecordsMax }: ConsumerGroup,
): BatchServer => {
  const server = new BatchServer(log, {
    group: name,
    topics,
    ...(batchRecordsMax !== undefined && { batchRecordsMax }),
    isTransient: (error) =>
      isTransientError(error) ||
      error instanceof LogUnavailableError ||
      error instanceof ClockError ||
      error instanceof KeysUnavailableError ||
      error instanceof OtherSecretError,
    onPartitionFailed: (topic, partition, error) => {
      logger.fatal(
        { topic, partition, err: error },
        'a partition stopped: fix the cause, then restart the program',
      );
    },
  });
  atScrape(`partitions of ${name}`, () => {
    for (const [topic, held] of server.held) partitionsHeld.set({ group: name, topic }, held);
    for (const [topic, { length }] of server.stopped) partitionsStopped.set({ group: name, topic }, length);
  });
  return server;
};
