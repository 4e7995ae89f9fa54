import type { Database } from '#libs/database';
import { readKeyStatus } from '#libs/key-rotation';

/** Ids of the wrapping keys that the stored keys and secrets of a site require. */
export const wrappingKeysOf = async (db: Database['db']): Promise<string[]> =>
  (await readKeyStatus(db)).flatMap(({ keyId }) => keyId ?? []).sort();
