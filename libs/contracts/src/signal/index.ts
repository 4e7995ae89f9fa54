export * from './parse-json.ts';
export * from './parse-signal.ts';
export { checkSignal, signalSchema } from './signal-schema.ts';
export { hasSealMarks, storable, storableText } from './storable.ts';
