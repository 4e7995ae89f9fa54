export type { AssetLookup, MatchedAsset } from './axonius/axonius-connector.ts';
export * from './connector.ts';
export * from './connector-of.ts';
export { tagFilterLength } from './falcon/falcon-filter.ts';
export { readPulledSignal } from './read-pulled-signal.ts';
export type { RetryTiming } from './requests/vendor-requests.ts';
