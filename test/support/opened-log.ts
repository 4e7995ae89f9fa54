import { encodeIntake } from '#libs/contracts';
import { type AssetState, ORGANIZATION_KEY, type ScoringModel } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { BeforeLogError, knownAt, siteLog } from '#libs/replay';
import type { LoggedEvent } from './histories.ts';
import { LOG_ID, MemoryLog } from './memory-log.ts';
import { DAY_MS, event, T0 } from './scenario.ts';

/** Of the logs that `histories` makes. */
export const PARTITIONS = 2;
/** Before every time of a slow clock. */
export const OPENED = T0 - 30 * DAY_MS;

/** The first event of every partition; the organization is in partition 0. */
export const openingsOf = (scoringModel: ScoringModel | null): LoggedEvent[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => {
    const stated = partition === 0 ? scoringModel : null;
    return {
      partition,
      event: event(
        { type: 'LogOpened', logId: LOG_ID, partitions: PARTITIONS, scoringModel: stated },
        OPENED,
        { kind: 'system', user: null },
        { entityKey: stated === null ? `log:${partition}` : ORGANIZATION_KEY },
      ),
    };
  });

/** As of a log whose opening states no model. */
export const openings: LoggedEvent[] = openingsOf(null);

export async function memoryLogOf(events: LoggedEvent[]): Promise<MemoryLog> {
  const log = new MemoryLog(PARTITIONS);
  await log.append(
    INTAKE_TOPIC,
    events.map((one) => ({
      partition: one.partition,
      key: one.event.envelope.entityKey,
      value: encodeIntake(one.event),
    })),
  );
  return log;
}

/** The live assets that only the log knows of at an instant; none before its beginning. */
export async function liveAssetsAt(log: MemoryLog, at: number): Promise<AssetState[]> {
  const live: AssetState[] = [];
  try {
    for await (const { assets } of knownAt(await siteLog(log.port, async () => new Map()), at)) {
      live.push(...assets.filter(({ asset }) => asset.deletedAt === null));
    }
  } catch (error) {
    if (!(error instanceof BeforeLogError)) throw error;
  }
  return live;
}
