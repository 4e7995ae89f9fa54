export * from './change-codec.ts';
export * from './intake-codec.ts';
export { IntakeDecoder } from './intake-decoder.ts';
export * from './partition-of.ts';
export * from './personal-texts.ts';
export * from './signal/index.ts';
export { CorruptRecordError, HEADER_BYTES, UnknownSchemaError } from './wire-format.ts';
