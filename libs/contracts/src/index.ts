export * from './intake-codec.ts';
export * from './signal/index.ts';
