export * from './sealed-text.ts';
export * from './subject-keys.ts';
