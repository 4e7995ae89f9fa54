export { type KeyStatus, NOTHING_SEALED, readKeyStatus, readSessionKeys } from './key-status.ts';
export { type DamagedKey, type Rotated, rotateKeys } from './rotate-keys.ts';
