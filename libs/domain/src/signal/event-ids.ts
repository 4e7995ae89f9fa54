import { v5 as uuidv5 } from 'uuid';

/** Ids are functions of the log (D4, D17): UUIDv5 in a namespace for each kind of thing. */
const NAMESPACES = {
  upload: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a01',
  event: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a02',
  asset: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a03',
  finding: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a04',
};

export const uploadId = (credentialId: string, idempotencyKey: string): string =>
  uuidv5(`${credentialId}\n${idempotencyKey}`, NAMESPACES.upload);

export const signalEventId = (upload: string, entryIndex: number): string =>
  uuidv5(`${upload}\n${entryIndex}`, NAMESPACES.event);

export const closedEventId = (upload: string, entityKey: string): string =>
  uuidv5(`${upload}\nclosed\n${entityKey}`, NAMESPACES.event);

export const assetId = (entityKey: string): string => uuidv5(entityKey, NAMESPACES.asset);

/** White space collapsed and case folded in the name (D8). */
export const findingId = (asset: string, type: string, name: string): string =>
  uuidv5(`${asset}\n${type}\n${name.trim().replace(/\s+/gu, ' ').toLowerCase()}`, NAMESPACES.finding);
