export * from './erase-subjects.ts';
export { KeysUnavailableError, SubjectKeyError, SubjectKeys } from './subject-keys.ts';
