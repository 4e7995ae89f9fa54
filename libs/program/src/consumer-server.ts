import { ClockError } from '#libs/clock';
import { isPassingError } from '#libs/database';
import { BatchServer, LogUnavailableError } from '#libs/event-log';
import { atScrape, partitionsHeld, partitionsStopped } from '#libs/telemetry';
import type { ConsumerGroup } from './consumer-groups.ts';
import type { Program } from './open-program.ts';

/**
 * Brings the topics of a group to the controllers that name them, as a member of the group. A partition waits while the
 * database or the log is away, or keeps it from its work by what ends by itself (`isPassingError`); one whose handler
 * fails otherwise stands still, until it is assigned anew.
 */
export const consumerServer = (
  { log, logger }: Pick<Program, 'log' | 'logger'>,
  { name, topics }: ConsumerGroup,
): BatchServer => {
  const server = new BatchServer(log, {
    group: name,
    topics,
    passes: (error) =>
      isPassingError(error) || error instanceof LogUnavailableError || error instanceof ClockError,
    onPartitionFailed: (topic, partition, error) => {
      logger.fatal(
        { topic, partition, err: error },
        'a partition stopped: nothing of it is done until it is mended',
      );
    },
  });
  atScrape(`partitions of ${name}`, () => {
    for (const [topic, held] of server.held) partitionsHeld.set({ group: name, topic }, held);
    for (const [topic, { length }] of server.stopped) partitionsStopped.set({ group: name, topic }, length);
  });
  return server;
};
