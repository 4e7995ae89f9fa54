import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PARTITIONS_MAX } from '#libs/config';
import { type ChangeCursor, formatCursor, STREAM_TOPICS } from './change-cursor.ts';
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

  it('is the same text each time under a name, another one under another name, cursor or key', () => {
    const place = { findings: [1, 2] };
    const text = seal.seal(place, 'delivery/0');
    expect(seal.seal(place, 'delivery/0')).toBe(text);
    expect(seal.open(text)).toEqual(place);
    const others = [
      seal.seal(place, 'delivery/1'),
      seal.seal({ findings: [1, 3] }, 'delivery/0'),
      new CursorSeal([OTHER]).seal(place, 'delivery/0'),
    ];
    expect(new Set([text, ...others]).size).toBe(4);
  });
});

describe('the longest cursor', () => {
  // HEADER_BYTES_MAX of the gateway, which includes the token and the other headers.
  const BYTES_MAX = 16_384 - 2_048;
  const sequences = Array(PARTITIONS_MAX).fill(36 ** 8 - 1);
  const longest = Object.fromEntries(STREAM_TOPICS.map((topic) => [topic, sequences]));

  it.each([
    ['plain', formatCursor(longest)],
    ['sealed', new CursorSeal([ONE]).seal(longest)],
  ])('fits into the headers of a request, %s', (_, text) => {
    expect(text.length).toBeLessThanOrEqual(BYTES_MAX);
  });
});

describe('the id of a change', () => {
  it('is the same each time, and another one of another change or key', () => {
    const [change, other] = ['7b3f7f0a-5d1e-5c55-9c55-6b1f0d3a7a11', '0b8a3f0e-6f7c-5d1e-9c55-6b1f0d3a7a11'];
    const id = new CursorSeal([ONE, OTHER]).changeId(change);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new CursorSeal([ONE]).changeId(change)).toBe(id);
    expect(new CursorSeal([ONE]).changeId(other)).not.toBe(id);
    expect(new CursorSeal([OTHER]).changeId(change)).not.toBe(id);
    expect(new CursorSeal([OTHER, ONE]).formerChangeIds(change)).toEqual([id]);
    expect(new CursorSeal([ONE]).formerChangeIds(change)).toEqual([]);
  });
});
