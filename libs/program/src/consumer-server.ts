import { isConnectionError } from '#libs/database';
import { BatchServer, LogUnavailableError } from '#libs/event-log';
import type { Program } from './open-program.ts';

/**
 * Brings the topics that a program's controllers name to them, as a member of the group. A partition waits while the
 * database or the log is away; one whose handler fails otherwise stands still, and `onStopped` is told.
 */
export const consumerServer = (
  { log, logger }: Pick<Program, 'log' | 'logger'>,
  group: string,
  onStopped: (partition: string) => void = () => {},
): BatchServer =>
  new BatchServer(log, {
    group,
    passes: (error) => isConnectionError(error) || error instanceof LogUnavailableError,
    onPartitionFailed: (topic, partition, error) => {
      logger.fatal(
        { topic, partition, err: error },
        'a partition stopped: nothing of it is done until it is mended',
      );
      onStopped(`${topic}/${partition}`);
    },
  });
