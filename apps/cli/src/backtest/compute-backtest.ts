import { setImmediate } from 'node:timers/promises';
import { importAt } from '#libs/catalogue-store';
import { backtest, isoTime, posture2, type ScoringModel } from '#libs/domain';
import { foldedCorrections, siteLog } from '#libs/replay';
import { ratedPhase } from '../log/rated-phase.ts';
import type { Progress } from '../progress.ts';
import type { Site } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import type { BacktestResult, TargetResult, WindowResult } from './backtest-result.ts';
import { collectCases } from './collect-cases.ts';
import { remarksOf } from './remarks-of.ts';
import { noCases, TARGETS, type Target, type TargetCases } from './targets.ts';
import { type ScoredWindow, type WindowsOptions, windowsOf, withCatalogues } from './windows.ts';

export interface BacktestOptions extends WindowsOptions {
  /** Only this model; omitted: all. */
  model?: ScoringModel;
}

/** The event loop runs at least so often, so that a signal ends the command. */
const BUSY_MS_MAX = 100;

/**
 * @param now epoch milliseconds
 * @throws CliError exit 2 if a window has not ended, or there was no list at the beginning of one; as `knownAt`
 */
export async function computeBacktest(
  options: BacktestOptions,
  { database, log }: Pick<Site, 'database' | 'log'>,
  progress: Progress,
  terminal: Pick<Terminal, 'stderr'>,
  now: number,
): Promise<BacktestResult> {
  const scored = await withCatalogues(database.db, windowsOf(options, now));
  const cases = noCases();
  const { windows, logId } = await readWindows(scored, { database, log }, cases, progress, terminal);
  const { days, model } = options;
  const seed = posture2.seedOf(`${logId}|${isoTime(options.at)}|${days}|${options.windows}`, 'backtest');
  const forecasters = backtest.FORECASTERS.filter((one) => !model || one === model || !isModel(one));
  const targets: TargetResult[] = [];
  for (const target of TARGETS) {
    targets.push(await evaluateTarget(target, cases[target], { forecasters, seed }, progress));
  }
  const lastKev = await importAt(database.db, 'kev', now);
  return { logId, days, windows, seed, targets, remarks: remarksOf(windows, targets, lastKev!.validFrom) };
}

const isModel = (forecaster: backtest.Forecaster): boolean => forecaster.startsWith('posture-');

/** The log is read once for each window. */
async function readWindows(
  scored: ScoredWindow[],
  { database, log }: Pick<Site, 'database' | 'log'>,
  into: ReturnType<typeof noCases>,
  progress: Progress,
  terminal: Pick<Terminal, 'stderr'>,
): Promise<{ windows: WindowResult[]; logId: string }> {
  let add: (count: number) => void = () => {};
  const logs = [];
  const corrections = () => foldedCorrections(database.db);
  for (const window of scored) {
    logs.push({ window, read: await siteLog(log, corrections, (count) => add(count)) });
  }
  const records = logs.flatMap(({ read }) => read.extent.ends).reduce((sum, end) => sum + end, 0);
  const phase = ratedPhase(progress, terminal, 'Folding', records);
  add = phase.add;
  try {
    const windows: WindowResult[] = [];
    for (const { window, read } of logs) {
      windows.push({ ...window, ...(await collectCases(read, database.db, window, into)) });
    }
    return { windows, logId: logs[0]!.read.extent.logId };
  } finally {
    phase.end();
  }
}

async function evaluateTarget(
  target: Target,
  { cases, independentEvents, leftOut }: TargetCases,
  options: Pick<backtest.EvaluateOptions, 'forecasters' | 'seed'>,
  progress: Progress,
): Promise<TargetResult> {
  const result = { target, leftOut: [...leftOut] };
  if (cases.length === 0) return { ...result, evaluation: null };
  const steps = backtest.evaluate(cases, { ...options, independentEvents });
  const samples = backtest.samplesOf(new Set(cases.map(({ unit }) => unit)).size);
  const phase = progress.phase(`Resampling ${target}`, samples, 'samples');
  let calmAt = performance.now();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return { ...result, evaluation: step.value };
      if (performance.now() - calmAt < BUSY_MS_MAX) continue;
      phase.reach(samples - step.value);
      await setImmediate();
      calmAt = performance.now();
    }
  } finally {
    phase.end();
  }
}
