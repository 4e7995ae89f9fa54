import { uuidV5 } from '../uuid-v5.ts';
import { entityKey, isMachineName } from './entity-key.ts';

/** Ids are functions of the log, so a replay gives the same ones: UUIDv5, a namespace for each kind (ADR-0005). */
const ids = {
  upload: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a01'),
  event: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a02'),
  asset: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a03'),
  finding: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a04'),
  inboxUpload: uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a05'),
};

/** One upload per credential and `Idempotency-Key`, however often it is sent (R-UPL-2). */
export const uploadId = (credentialId: string, idempotencyKey: string): string =>
  ids.upload(`${credentialId}\n${idempotencyKey}`);

/**
 * One upload per record of the inbox, however often it is read (R-INBOX-3). The time is part of it: a topic that was
 * created again gives other records the same offsets.
 * @param source topic, partition and offset
 * @param storedAt when the broker stored the record, epoch milliseconds
 */
export const inboxUploadId = (source: string, storedAt: number): string =>
  ids.inboxUpload(`${source}\n${storedAt}`);

/** `entryIndex` is the entry's place among the upload's signals, from 0. */
export const signalEventId = (upload: string, entryIndex: number): string =>
  ids.event(`${upload}\n${entryIndex}`);

/** The event that closes an entity's assessment in an upload. */
export const closedEventId = (upload: string, entityKey: string): string =>
  ids.event(`${upload}\nclosed\n${entityKey}`);

/** Its further parts, from 1, after the last signal of the entity, which has a place from 0. */
export const closedPartEventId = (upload: string, after: number, part: number): string =>
  ids.event(`${upload}\nclosed\n${after}\n${part}`);

/** Stands before the name in the text of an id: no key and no name contains it (R-SIG-3). */
const NAME_FOLLOWS = '\0';

/** The first rules under which this is so. Before them it was `|`, and the text could be the key of another entity. */
export const NAMES_APART = 7;

/** Of the first asset of an entity: only the key, unless it is the text of an id of rules 6 or earlier (R-ASSET-7). */
export const assetId = (key: string): string => ids.asset(isTextOfFurther(key) ? key + NAME_FOLLOWS : key);

/** Of a further asset of an entity: key and name. */
export const furtherAssetId = (key: string, name: string, rules: number): string =>
  ids.asset(`${key}${rules < NAMES_APART ? '|' : NAME_FOLLOWS}${name.toLowerCase()}`);

/** Only entities with a host name have further assets: `machine:web01|web01.example.com`. */
function isTextOfFurther(key: string): boolean {
  const bar = key.indexOf('|');
  const name = key.slice(bar + 1);
  return bar >= 0 && isMachineName(name) && entityKey('machine', name) === key.slice(0, bar);
}

/** The name with white space collapsed and case folded (R-FIND-1). */
export const findingId = (asset: string, type: string, name: string): string =>
  ids.finding(`${asset}\n${type}\n${collapseWhiteSpace(name).toLowerCase()}`);

/** Every run of white space is one space, none at the ends: how finding names are shown and compared. */
export const collapseWhiteSpace = (text: string): string => text.trim().replace(/\s+/gu, ' ');
