import { isConnectionError } from '#libs/database';
import { BatchServer, LogUnavailableError } from '#libs/event-log';
import { atScrape, partitionsHeld, partitionsStopped } from '#libs/telemetry';
import type { ConsumerGroup } from './consumer-groups.ts';
import type { Program } from './open-program.ts';

/**
 * Brings the topics of a group to the controllers that name them, as a member of the group. A partition waits while the
 * database or the log is away; one whose handler fails otherwise stands still, and `onStopped` is told.
 */
export const consumerServer = (
  { log, logger }: Pick<Program, 'log' | 'logger'>,
  { name, topics }: ConsumerGroup,
  onStopped: (partition: string) => void = () => {},
): BatchServer => {
  for (const topic of topics) partitionsStopped.set({ group: name, topic }, 0);
  const server = new BatchServer(log, {
    group: name,
    topics,
    passes: (error) => isConnectionError(error) || error instanceof LogUnavailableError,
    onPartitionFailed: (topic, partition, error) => {
      logger.fatal(
        { topic, partition, err: error },
        'a partition stopped: nothing of it is done until it is mended',
      );
      partitionsStopped.inc({ group: name, topic });
      onStopped(`${topic}/${partition}`);
    },
  });
  atScrape(`partitions of ${name}`, () => {
    for (const [topic, held] of server.held) partitionsHeld.set({ group: name, topic }, held);
  });
  return server;
};
