export { cleanse } from './cleanse.ts';
export { JSON_DEPTH_MAX } from './json-depth.ts';
export * from './parse-json.ts';
export * from './parse-signal.ts';
export { checkSignal, signalSchema } from './signal-schema.ts';
