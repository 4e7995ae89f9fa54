import { mendsOf, TwoFolds } from '#libs/replay';
import type { LoggedEvent } from './histories.ts';
import { DAY_MS, event } from './scenario.ts';

/** How far the wrong clock is ahead. */
const AHEAD_MS = 120 * DAY_MS;

/**
 * A log that a wrong clock poisoned in the middle, and that was mended at its end: its partitions are swept 120 days
 * ahead of time.
 * @param share of the events that come before the sweeps, 0 to 1
 * @param rules of the sweeps; 2: as before events carried two clocks; from 3 on the clock of the database was ahead too
 * @returns when the clocks were corrected, in epoch ms, and the log
 */
export function poisonedAndMended(
  openings: LoggedEvent[],
  events: LoggedEvent[],
  share: number,
  rules = 2,
): { correctedAt: number; mended: LoggedEvent[] } {
  const place = Math.floor(share * events.length);
  const [before, after] = [[...openings, ...events.slice(0, place)], events.slice(place)];
  const correctedAt = Math.max(...events.map((one) => one.event.envelope.at)) + 1;
  const poisoned = [...before, ...sweepsOf(events, correctedAt + AHEAD_MS, rules), ...after];
  const partitions = openings.map(({ partition }) => partition);
  return {
    correctedAt,
    mended: [...poisoned, ...partitions.flatMap((partition) => mendOf(poisoned, partition, correctedAt))],
  };
}

/** Of every entity of the log. */
function sweepsOf(events: LoggedEvent[], at: number, rules: number): LoggedEvent[] {
  const entities = new Map(
    events.map(({ partition, event: { envelope } }) => [envelope.entityKey, partition]),
  );
  return [...entities].map(([entityKey, partition]) => ({
    partition,
    event: event(
      { type: 'EntitySwept', deleteIdleSince: at - 10 * DAY_MS },
      at,
      { kind: 'system', user: null },
      { entityKey, rules },
    ),
  }));
}

/** The correction of a partition, and its mends a while later: other events may be between. */
function mendOf(poisoned: LoggedEvent[], partition: number, correctedAt: number): LoggedEvent[] {
  const own = poisoned.filter((one) => one.partition === partition);
  const folds = new TwoFolds(partition, [{ offset: own.length, at: correctedAt }]);
  for (const [offset, one] of own.entries()) folds.takeOne(one.event, offset);
  const correction = event(
    { type: 'ClockCorrected', reason: 'the time server was wrong' },
    correctedAt,
    { kind: 'user' },
    { entityKey: `log:${partition}` },
  );
  folds.takeOne(correction, own.length);
  const mends = [...mendsOf(folds)].map(({ entityKey, payload }) =>
    event(payload, correctedAt + 1_000, { kind: 'user' }, { entityKey }),
  );
  return [correction, ...mends].map((one) => ({ partition, event: one }));
}
