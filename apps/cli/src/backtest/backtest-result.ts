import type { backtest } from '#libs/domain';
import type { LeftOut, LeftOutReason, Target } from './targets.ts';
import type { ScoredWindow } from './windows.ts';

/** The outcome of a window, for all targets together. */
export interface WindowResult extends ScoredWindow {
  /** Live assets at its beginning. */
  assets: number;
}

export interface TargetResult {
  target: Target;
  /** Null if there is no outcome. */
  evaluation: backtest.Evaluation | null;
  leftOut: [LeftOutReason, LeftOut][];
}

/** A back-test before it takes a form. */
export interface BacktestResult {
  logId: string;
  days: number;
  windows: WindowResult[];
  /** Of the bootstrap: the same log, instant, days and windows draw the same samples. */
  seed: bigint;
  targets: TargetResult[];
  /** What limits the result, in sentences. */
  remarks: string[];
}
