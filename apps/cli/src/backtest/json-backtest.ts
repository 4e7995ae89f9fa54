import type { CatalogueImport } from '#libs/catalogue-store';
import { type backtest, isoTime } from '#libs/domain';
import type { BacktestResult, TargetResult, WindowResult } from './backtest-result.ts';

/** Counts the meanings of the document's fields. */
const BACKTEST_FORMAT = 1;

/** Another machine can differ in the last digits of a double. */
const DIGITS = 6;

/** One JSON document. */
export const jsonBacktest = (result: BacktestResult): string =>
  `${JSON.stringify(documentOf(result), null, 2)}\n`;

export function documentOf({ logId, days, windows, seed, targets, remarks }: BacktestResult) {
  return {
    backtest: 'posture',
    format: BACKTEST_FORMAT,
    logId,
    from: isoTime(windows[0]!.from),
    until: isoTime(windows.at(-1)!.until),
    days,
    /** A text: more digits than a double has. */
    seed: seed.toString(),
    windows: windows.map(windowOf),
    targets: targets.map(targetOf),
    remarks,
  };
}

const windowOf = ({ from, until, assets, epss, kev }: WindowResult) => ({
  from: isoTime(from),
  until: isoTime(until),
  assets,
  epss: importOf(epss),
  kev: importOf(kev),
});

const importOf = ({ source, validFrom, contentHash }: CatalogueImport) => ({
  source,
  inForceFrom: isoTime(validFrom),
  contentHash,
});

function targetOf({ target, evaluation, leftOut }: TargetResult) {
  const { units, outcomes, events, independentEvents, samples, forecasters } = evaluation ?? NOTHING;
  return {
    target,
    outcomes,
    events,
    rate: outcomes === 0 ? null : rounded(events / outcomes),
    independentEvents,
    units,
    samples,
    leftOut: Object.fromEntries(leftOut),
    forecasters: forecasters.map(forecasterOf),
  };
}

const NOTHING: backtest.Evaluation = {
  units: 0,
  outcomes: 0,
  events: 0,
  independentEvents: 0,
  samples: 0,
  forecasters: [],
};

const forecasterOf = ({ forecaster, calibration, ordering }: backtest.ForecasterFigures) => ({
  forecaster,
  brierScore: calibration && figureOf(calibration.brierScore),
  brierSkill: roundedOrNull(calibration?.brierSkill ?? null),
  logLoss: calibration && rounded(calibration.logLoss),
  reliability: calibration?.reliability.map(binOf) ?? null,
  areaUnderCurve: ordering && figureOf(ordering.areaUnderCurve),
  areaDifference: ordering?.difference ? figureOf(ordering.difference) : null,
  topDecileLift: ordering && figureOf(ordering.topDecileLift),
});

const binOf = (bin: backtest.ReliabilityBin) => ({
  ...bin,
  meanLikelihood: rounded(bin.meanLikelihood),
  rate: rounded(bin.rate),
  low: rounded(bin.low),
  high: rounded(bin.high),
});

const figureOf = ({ value, interval }: backtest.Figure) => ({
  value: rounded(value),
  low: interval && rounded(interval.low),
  high: interval && rounded(interval.high),
});

const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));
