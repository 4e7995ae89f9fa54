import { v5 as uuidv5 } from 'uuid';

/** Ids are functions of the log (D4, D17): UUIDv5 in a namespace for each kind of thing. */
const NAMESPACES = {
  upload: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a01',
  event: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a02',
  asset: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a03',
  finding: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a04',
};

/** One upload per credential and `Idempotency-Key`, however often it is sent (D17). */
export const uploadId = (credentialId: string, idempotencyKey: string): string =>
  uuidv5(`${credentialId}\n${idempotencyKey}`, NAMESPACES.upload);

/** `entryIndex` is the entry's place among the upload's signals, from 0. */
export const signalEventId = (upload: string, entryIndex: number): string =>
  uuidv5(`${upload}\n${entryIndex}`, NAMESPACES.event);

/** The event that closes an entity's assessment in an upload (D13). */
export const closedEventId = (upload: string, entityKey: string): string =>
  uuidv5(`${upload}\nclosed\n${entityKey}`, NAMESPACES.event);

/** D4. */
export const assetId = (entityKey: string): string => uuidv5(entityKey, NAMESPACES.asset);

/** White space collapsed and case folded in the name (D8). */
export const findingId = (asset: string, type: string, name: string): string =>
  uuidv5(`${asset}\n${type}\n${collapseWhiteSpace(name).toLowerCase()}`, NAMESPACES.finding);

/** Every run of white space is one space, none at the ends: how finding names are shown and compared (D8). */
export const collapseWhiteSpace = (text: string): string => text.trim().replace(/\s+/gu, ' ');
