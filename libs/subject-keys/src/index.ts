export * from './erase-subjects.ts';
export * from './subject-keys.ts';
