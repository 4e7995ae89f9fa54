import type { EntityState } from '#libs/domain';

/** An entity's state as of the stored position of its partition, and its size in memory. */
export interface LoadedEntity {
  state: EntityState;
  /** Estimate, by the length of the stored JSON. */
  bytes: number;
}

/** Text in memory, with the objects around it, takes about this many bytes for each character of JSON. */
const BYTES_PER_CHARACTER = 3;
const EMPTY_ENTITY_BYTES = 1024;
/** Of a finding whose content is not read, with its places in maps. */
export const UNREAD_FINDING_BYTES = 768;

export const entityBytes = (jsonCharacters: number): number =>
  EMPTY_ENTITY_BYTES + BYTES_PER_CHARACTER * jsonCharacters;
