export * from './event-sealer.ts';
export * from './look-up.ts';
export * from './seals.ts';
export * from './text-opener.ts';
