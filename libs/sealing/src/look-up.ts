import { type EntityType, entityKey } from '#libs/domain';
import type { KeySource } from './key-source.ts';
import { sealText } from './sealed-text.ts';
import { personName, Seals, sealedKey } from './seals.ts';

type Keys = Pick<KeySource, 'find'>;

const TYPES: readonly EntityType[] = ['user', 'machine'];

/**
 * The keys in the log of the sealed entities with exactly this name, in any case: a user, and a machine, also by its host
 * name.
 */
export async function sealedEntityKeys(keys: Keys, name: string): Promise<string[]> {
  const found = await keys.find(TYPES.map((type) => entityKey(type, name)));
  return TYPES.flatMap((type) => {
    const key = found.get(entityKey(type, name));
    return key ? [sealedKey(key.subject, type)] : [];
  });
}

/** A name of a sealed machine as events and rows have it; undefined if the machine is not sealed. */
export async function sealedMachineName(keys: Keys, name: string): Promise<string | undefined> {
  const key = entityKey('machine', name);
  const found = await keys.find([key]);
  return found.has(key) ? new Seals(found).textOf(key, name, 'name') : undefined;
}

/** A user name as rows have it: in the clear, and sealed. */
export async function storedNames(keys: Keys, user: string): Promise<string[]> {
  const key = (await keys.find([personName(user)])).get(personName(user));
  return key ? [user, sealText(user, key)] : [user];
}
