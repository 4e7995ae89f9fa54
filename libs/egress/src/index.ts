export * from './egress.ts';
export * from './guard.ts';
export * from './host-of.ts';
export * from './open-egress.ts';
