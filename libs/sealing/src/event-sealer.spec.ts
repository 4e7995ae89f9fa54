import { expect, it } from '@jest/globals';
import { SubjectKeysInMemory } from '../../../test/support/subject-keys-in-memory.ts';
import { EventSealer } from './event-sealer.ts';
import { SubjectKeyError } from './key-source.ts';
import { sealText } from './sealed-text.ts';

const keys = new SubjectKeysInMemory();
const name = sealText('ana-laptop', keys.keyOf('machine:ana-laptop'));

it('a decision reads sealed texts, and "erased" in place of those whose key is destroyed', async () => {
  const erased = keys.keyOf('machine:ben-laptop');
  const sealed = [name, sealText('ben-laptop', erased), 'web01'];
  keys.destroy(erased);
  expect(await new EventSealer(keys).open(sealed)).toEqual(['ana-laptop', 'erased', 'web01']);
});

it.each([
  ['is missing', new SubjectKeysInMemory()],
  ['is not read, because sealing is off', null],
])('a decision fails if the key of a text %s (R-KEY-6)', async (_, source) => {
  const sealer = new EventSealer(source);
  await expect(sealer.open({ name })).rejects.toThrow(SubjectKeyError);
  await expect(sealer.open({ name })).rejects.toThrow(/is missing: restore subject_keys/);
  expect(await sealer.open({ name: 'web01' })).toEqual({ name: 'web01' });
});
