import { BatchServer } from '#libs/event-log';
import { PROJECTOR_GROUP, type Program } from '#libs/program';

/** Brings the intake log to the projector; tells of partitions that stand still. */
export const projectorServer = (
  { log, logger }: Pick<Program, 'log' | 'logger'>,
  onStopped: (partition: number) => void = () => {},
): BatchServer =>
  new BatchServer(log, {
    group: PROJECTOR_GROUP,
    onPartitionFailed: (topic, partition, error) => {
      logger.fatal(
        { topic, partition, err: error },
        'a partition stopped: nothing of it is folded until it is mended',
      );
      onStopped(partition);
    },
  });
