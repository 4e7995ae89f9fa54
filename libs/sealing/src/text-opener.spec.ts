import { describe, expect, it } from '@jest/globals';
import { SubjectKeysInMemory } from '../../../test/support/subject-keys-in-memory.ts';
import { sealText } from './sealed-text.ts';
import { TextOpener } from './text-opener.ts';

const keys = new SubjectKeysInMemory();
const ana = keys.keyOf('user:ana');
const ben = keys.keyOf('user:ben');
const failures: Error[] = [];
const opener = new TextOpener(keys, (error) => failures.push(error));
const QUOTED = 'says "no"\n\\ — ';

describe('opening', () => {
  it('replaces sealed texts in JSON, plain text, values and names of properties', async () => {
    const value = {
      name: sealText(QUOTED, ana),
      words: `${sealText('ana', ana)} and ${sealText('ben', ben)}.`,
      list: [sealText('x', ben), 7, null, 'plain'],
      tags: { [sealText('key', ana)]: ['v'] },
    };
    const opened = {
      name: QUOTED,
      words: 'ana and ben.',
      list: ['x', 7, null, 'plain'],
      tags: { key: ['v'] },
    };
    expect(await opener.value(value)).toEqual(opened);
    expect(JSON.parse(await opener.json(JSON.stringify(value)))).toEqual(opened);
    expect(await opener.text(`a ${sealText(QUOTED, ana)}`)).toBe(`a ${QUOTED}`);
    expect(await opener.value(undefined)).toBeUndefined();
  });

  it('returns a value without sealed texts as it is', async () => {
    const value = { at: new Date(0), name: 'web01' };
    expect(await opener.value(value)).toBe(value);
  });

  it('shows what was erased, and what cannot be read, with the reason to the log', async () => {
    const erased = keys.keyOf('user:gone');
    const texts = [
      sealText('a', ana),
      sealText('b', erased),
      sealText('c', { ...ben, subject: 'x'.repeat(22) }),
    ];
    keys.destroy(erased);
    expect(await opener.value(texts)).toEqual(['a', 'erased', 'unavailable']);
    expect(failures).toEqual([]);
    const altered = sealText('a', ana).replace(/(.{3}).(.)$/u, '$1A$2');
    expect(await opener.text(altered)).toBe('unavailable');
    expect(failures).toHaveLength(1);
    const read = async () => {
      throw new Error('gone');
    };
    const noted: Error[] = [];
    expect(await new TextOpener({ read }, (error) => noted.push(error)).value(texts)).toEqual(
      Array(3).fill('unavailable'),
    );
    expect(noted.map(({ message }) => message)).toEqual(['gone']);
  });
});
