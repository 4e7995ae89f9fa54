export * from './subject-keys.ts';
