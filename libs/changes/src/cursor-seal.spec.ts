import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChangeCursor, STREAM_TOPICS } from './change-cursor.ts';
import { CursorSeal } from './cursor-seal.ts';

const [ONE, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

const cursor: fc.Arbitrary<ChangeCursor> = fc
  .record({
    topics: fc.subarray([...STREAM_TOPICS], { minLength: 1 }),
    partitions: fc.integer({ min: 1, max: 12 }),
  })
  .chain(({ topics, partitions }) =>
    fc.record(
      Object.fromEntries(
        topics.map((topic) => [
          topic,
          fc.array(fc.nat({ max: 2 ** 48 - 1 }), { minLength: partitions, maxLength: partitions }),
        ]),
      ),
    ),
  );

describe('a sealed cursor', () => {
  const seal = new CursorSeal([ONE]);

  it('opens to the cursor, also after a change of the key', () => {
    fc.assert(
      fc.property(cursor, (given) => {
        const text = seal.seal(given);
        expect({ ...seal.open(text) }).toEqual({ ...given });
        expect({ ...new CursorSeal([OTHER, ONE]).open(text) }).toEqual({ ...given });
        expect(new CursorSeal([OTHER]).open(text)).toBeNull();
      }),
    );
  });

  it('shows neither how far it is, nor whether two are the same', () => {
    const near = seal.seal({ findings: [0, 0] });
    const far = seal.seal({ findings: [2 ** 40, 2 ** 40] });
    expect(far).toHaveLength(near.length);
    expect(seal.seal({ findings: [0, 0] })).not.toBe(near);
  });

  it('does not open if one bit has changed', () => {
    const text = seal.seal({ assets: [1, 2], scores: [3, 4] });
    const bytes = Buffer.from(text.slice(3), 'base64url');
    for (let i = 0; i < bytes.length * 8; i += 1) {
      const changed = Buffer.from(bytes);
      changed[i >> 3]! ^= 1 << (i & 7);
      expect(seal.open(`v1-${changed.toString('base64url')}`)).toBeNull();
    }
  });

  it.each(['', 'v1-', 'v1-AAAA', 'a:1.0', `v1-${'A'.repeat(200)}`, 'v2-AAAA'])('is not %s', (text) => {
    expect(seal.open(text)).toBeNull();
  });
});
