export * from './trusted-clock.ts';
