export * from './asset-facts.ts';
export * from './asset-view.ts';
export * from './count-findings.ts';
export * from './finding-facts.ts';
export * from './finding-view.ts';
export * from './iso-time.ts';
export * from './seen-asset.ts';
export * from './seen-finding.ts';
