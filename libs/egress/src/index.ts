export * from './egress.ts';
export * from './guard.ts';
export * from './open-egress.ts';
