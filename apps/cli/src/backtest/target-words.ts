import type { backtest } from '#libs/domain';
import type { LeftOutReason, Target } from './targets.ts';

/** The same words in all formats. */
export const TARGET_TITLES: Record<Target, string> = {
  cveListed: 'A CVE of an asset is added to KEV',
  assetListed: 'An asset has a CVE that is added to KEV',
  assetDetected: 'An asset gets a true-positive detection',
};

/** The plural of what is drawn anew for the intervals, and of what is counted. */
export const TARGET_UNITS: Record<Target, { unit: string; outcome: string; source: string }> = {
  cveListed: { unit: 'CVEs', outcome: 'CVEs of assets', source: 'CVEs' },
  assetListed: { unit: 'assets', outcome: 'assets', source: 'CVEs' },
  assetDetected: { unit: 'assets', outcome: 'assets', source: 'assets' },
};

export const LEFT_OUT_WORDS: Record<LeftOutReason, string> = {
  listedBefore: 'listed by KEV before',
  unscored: 'without a score',
  openDetection: 'with an open detection',
};

export const FORECASTER_NAMES: Record<backtest.Forecaster, string> = {
  'posture-2': 'posture-2',
  'posture-1': 'posture-1',
  epss: 'EPSS only',
  cvss: 'CVSS only',
  kev: 'KEV only',
};
