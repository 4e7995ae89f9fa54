export { assetLookup } from './asset-lookup.ts';
export { deviceLookup, nameForSignals } from './device-lookup.ts';
export * from './integration-secrets.ts';
export * from './next-sync.ts';
export { isOrganizationFolded, organizationEnd } from './organization-folded.ts';
export { pastSyncs } from './past-syncs.ts';
export { sweepSecrets } from './sweep-secrets.ts';
export { syncScope } from './sync-scope.ts';
