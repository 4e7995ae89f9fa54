import { entityKey } from '#libs/domain';
import type { KeySource } from './key-source.ts';
import { sealText } from './sealed-text.ts';
import { personName, sealedKey } from './seals.ts';

type Keys = Pick<KeySource, 'find'>;

/** The key in the log of the user entity with exactly this name, in any case; undefined if it is not sealed. */
export async function sealedEntityKey(keys: Keys, name: string): Promise<string | undefined> {
  const key = entityKey('user', name);
  const found = (await keys.find([key])).get(key);
  return found && sealedKey(found.subject);
}

/** A user name as rows have it: in the clear, and sealed. */
export async function storedNames(keys: Keys, user: string): Promise<string[]> {
  const key = (await keys.find([personName(user)])).get(personName(user));
  return key ? [user, sealText(user, key)] : [user];
}
