export { KeyWrapperError } from './key-wrapper.ts';
export { openSecretKeys } from './open-secret-keys.ts';
export { configuredKms, KMS, type Kms, wrapperOf } from './wrapper-of.ts';
