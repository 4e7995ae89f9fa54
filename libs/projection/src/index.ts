export * from './decode-batch.ts';
export * from './projection.ts';
export { readEntities, readPosition } from './projection-reader.ts';
