export * from './event-sealer.ts';
export * from './key-source.ts';
export * from './look-up.ts';
export * from './sealed-machines.ts';
export * from './sealed-text.ts';
export * from './seals.ts';
export { newDataKey } from './siv-text.ts';
export * from './text-opener.ts';
