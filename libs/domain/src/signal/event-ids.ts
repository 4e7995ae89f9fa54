import { uuidV5 } from '../uuid-v5.ts';

/** Ids are functions of the log (D4, D17): UUIDv5 in a namespace for each kind of thing. */
const ids = {
  upload: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a01'),
  event: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a02'),
  asset: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a03'),
  finding: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a04'),
};

/** One upload per credential and `Idempotency-Key`, however often it is sent (D17). */
export const uploadId = (credentialId: string, idempotencyKey: string): string =>
  ids.upload(`${credentialId}\n${idempotencyKey}`);

/** `entryIndex` is the entry's place among the upload's signals, from 0. */
export const signalEventId = (upload: string, entryIndex: number): string =>
  ids.event(`${upload}\n${entryIndex}`);

/** The event that closes an entity's assessment in an upload (D13). */
export const closedEventId = (upload: string, entityKey: string): string =>
  ids.event(`${upload}\nclosed\n${entityKey}`);

/** D4. */
export const assetId = (entityKey: string): string => ids.asset(entityKey);

/** White space collapsed and case folded in the name (D8). */
export const findingId = (asset: string, type: string, name: string): string =>
  ids.finding(`${asset}\n${type}\n${collapseWhiteSpace(name).toLowerCase()}`);

/** Every run of white space is one space, none at the ends: how finding names are shown and compared (D8). */
export const collapseWhiteSpace = (text: string): string => text.trim().replace(/\s+/gu, ' ');
