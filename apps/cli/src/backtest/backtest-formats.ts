import type { BacktestResult } from './backtest-result.ts';
import { htmlBacktest } from './html-backtest.ts';
import { jsonBacktest } from './json-backtest.ts';
import { textBacktest } from './text-backtest.ts';

/** The writers of a back-test by the name of their format: pure functions. */
export const BACKTEST_FORMATS = {
  text: textBacktest,
  json: jsonBacktest,
  html: htmlBacktest,
} satisfies Record<string, (result: BacktestResult) => string>;

export type BacktestFormat = keyof typeof BACKTEST_FORMATS;
