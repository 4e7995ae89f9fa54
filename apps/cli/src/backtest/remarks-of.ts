import { backtest, isoTime } from '#libs/domain';
import type { TargetResult } from './backtest-result.ts';
import type { Window } from './windows.ts';

/** CISA filled KEV with old entries until then. */
const KEV_STEADY_FROM = Date.UTC(2022, 6, 1);

/**
 * What limits a result.
 *
 * @param lastKev from when on the last KEV list that was imported is in force, epoch ms
 */
export function remarksOf(
  windows: readonly Window[],
  targets: readonly TargetResult[],
  lastKev: number,
): string[] {
  const { until } = windows.at(-1)!;
  const { from } = windows[0]!;
  return [
    ...(lastKev < until
      ? [
          `The last KEV list that was imported is in force since ${isoTime(lastKev)}, before the end: later additions are missing. Import the present list.`,
        ]
      : []),
    ...(from < KEV_STEADY_FROM
      ? ['Until July 2022 CISA filled KEV with old entries: additions of that time say little.']
      : []),
    ...targets.flatMap(({ target, evaluation }) =>
      evaluation && target === 'assetListed' && evaluation.events > evaluation.independentEvents
        ? [
            `assetListed: the intervals treat assets as independent, but ${evaluation.independentEvents} CVEs cause the ${evaluation.events} events. They are too narrow.`,
          ]
        : [],
    ),
    ...targets
      .filter(({ evaluation }) => isTooSmall(evaluation))
      .map(
        ({ target, evaluation }) =>
          `${target}: too few independent events to judge a ranking (${evaluation?.independentEvents ?? 0}; at least ${backtest.EVENTS_MIN} are required). Pool more windows with --windows.`,
      ),
  ];
}

const isTooSmall = (evaluation: backtest.Evaluation | null): boolean =>
  (evaluation?.independentEvents ?? 0) < backtest.EVENTS_MIN;
