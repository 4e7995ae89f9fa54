import { type backtest, isoTime } from '#libs/domain';
import { printable } from '../printable.ts';
import { tableLines } from '../text-table.ts';
import type { BacktestResult, TargetResult, WindowResult } from './backtest-result.ts';
import { differenceText, figureText, likelihoodText, percentText } from './figure-words.ts';
import { FORECASTER_NAMES, LEFT_OUT_WORDS, TARGET_TITLES, TARGET_UNITS } from './target-words.ts';

/** Lines for a terminal. */
export const textBacktest = ({ logId, days, windows, targets, remarks }: BacktestResult): string =>
  [
    `Back-test  from ${isoTime(windows[0]!.from)} until ${isoTime(windows.at(-1)!.until)}`,
    `Windows    ${windows.length} of ${days} days`,
    `Log        ${logId}`,
    ...windows.flatMap(windowLines),
    ...remarks.map((remark) => `Remark     ${remark}`),
    ...targets.flatMap((target) => ['', ...targetLines(target)]),
    '',
  ].join('\n');

const windowLines = ({ from, assets, epss, kev }: WindowResult): string[] => [
  `  ${isoTime(from)}: ${assets} assets; EPSS ${printable(epss.source)}, in force since ${isoTime(epss.validFrom)}; KEV ${printable(kev.source)}, since ${isoTime(kev.validFrom)}`,
];

function targetLines({ target, evaluation, leftOut }: TargetResult): string[] {
  const { outcome, source } = TARGET_UNITS[target];
  const excluded = leftOut.map(
    ([reason, { outcomes, events }]) =>
      `  Left out: ${outcomes} ${outcome} ${LEFT_OUT_WORDS[reason]}${events > 0 ? `, ${events} of them with the event` : ''}`,
  );
  if (evaluation === null) return [TARGET_TITLES[target], '  No outcome.', ...excluded];
  const { outcomes, events, independentEvents, forecasters } = evaluation;
  return [
    TARGET_TITLES[target],
    `  ${outcomes} ${outcome}, ${events} with the event (${percentText(events / outcomes)}), by ${independentEvents} ${source}`,
    ...excluded,
    ...table([headerOf(forecasters), ...forecasters.map(figuresRow)]),
    ...forecasters.flatMap(reliabilityLines),
  ];
}

const headerOf = ([first]: backtest.ForecasterFigures[]): string[] => [
  '',
  'Brier score',
  'skill',
  'area under the curve',
  `difference to ${FORECASTER_NAMES[first!.forecaster]}`,
  'lift of the top tenth',
];

const NONE = '-';

const figuresRow = ({ forecaster, calibration, ordering }: backtest.ForecasterFigures): string[] => [
  FORECASTER_NAMES[forecaster],
  calibration ? figureText(calibration.brierScore, 6) : NONE,
  calibration?.brierSkill?.toFixed(3) ?? NONE,
  ordering ? figureText(ordering.areaUnderCurve, 3) : NONE,
  ordering?.difference ? differenceText(ordering.difference, 3) : NONE,
  ordering ? figureText(ordering.topDecileLift, 2) : NONE,
];

function reliabilityLines({ forecaster, calibration }: backtest.ForecasterFigures): string[] {
  if (!calibration) return [];
  const rows = calibration.reliability.map(
    ({ from, to, outcomes, events, meanLikelihood, rate, low, high }) => [
      `${from} to ${to}`,
      String(outcomes),
      String(events),
      likelihoodText(meanLikelihood),
      `${likelihoodText(rate)} [${likelihoodText(low)}, ${likelihoodText(high)}]`,
    ],
  );
  return [
    `  Reliability of ${FORECASTER_NAMES[forecaster]}`,
    ...table([['forecast', 'outcomes', 'events', 'mean forecast', 'rate that came'], ...rows]),
  ];
}

const table = (rows: string[][]): string[] => tableLines(rows).map((line) => `    ${line}`);
