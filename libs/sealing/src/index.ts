export * from './event-sealer.ts';
export * from './seals.ts';
export * from './text-opener.ts';
