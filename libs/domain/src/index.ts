export * from './events.ts';
export * from './fold/index.ts';
export * from './organization/index.ts';
export * from './scoring/index.ts';
export * from './settings.ts';
export * from './signal/index.ts';
export * from './state.ts';
export * from './upload-counts.ts';
