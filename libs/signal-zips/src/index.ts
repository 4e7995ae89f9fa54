export * from './plan-zips.ts';
export * from './write-zip.ts';
