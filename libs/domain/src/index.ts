export * from './events.ts';
export * from './state.ts';
export * from './fold/index.ts';
