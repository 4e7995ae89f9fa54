export type { AssetLookup, MatchedAsset } from './asset-lookup.ts';
export * from './connector.ts';
export { CONNECTOR_KINDS } from './connector-kinds.ts';
export * from './connector-of.ts';
export type { DeviceLookup } from './device-lookup.ts';
export { tagFilterLength } from './falcon/falcon-filter.ts';
export { readPulledSignal } from './read-pulled-signal.ts';
export type { RetryTiming } from './requests/vendor-requests.ts';
export { pulledSignalId } from './signal-id.ts';
