export { KeyWrapperError } from './key-wrapper.ts';
export { openSecretKeys } from './open-secret-keys.ts';
export { wrapperOf } from './wrapper-of.ts';
