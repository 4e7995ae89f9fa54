export * from './erase-subjects.ts';
export { KeysUnavailableError, SubjectKeys, shortOf } from './subject-keys.ts';
export * from './subject-rows.ts';
