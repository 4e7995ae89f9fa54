export * from './intake-codec.ts';
