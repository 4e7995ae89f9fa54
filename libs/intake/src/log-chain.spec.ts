import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHAIN_START, chainAfter } from './log-chain.ts';

const records = fc.array(
  fc.record({ key: fc.string(), value: fc.uint8Array().map((it) => Buffer.from(it)) }),
  {
    maxLength: 8,
  },
);
const headOf = (given: { key: string; value: Buffer }[]) =>
  given.reduce(chainAfter, CHAIN_START).toString('hex');

describe('chainAfter', () => {
  it('hashes the head, the length of the key, the key and the Avro body', () => {
    const value = Buffer.from([0, 0, 0, 0, 7, 1, 2, 3]);
    const expected = createHash('sha256')
      .update(Buffer.alloc(32))
      .update(Buffer.from([0, 0, 0, 3]))
      .update(Buffer.from('ü1'))
      .update(Buffer.from([1, 2, 3]))
      .digest();
    expect(chainAfter(CHAIN_START, { key: 'ü1', value })).toEqual(expected);
  });

  it('is the same under another schema id, which a move between registries may bring', () => {
    const value = (id: number) => Buffer.from([0, 0, 0, 0, id, 1, 2, 3]);
    expect(headOf([{ key: 'k', value: value(7) }])).toBe(headOf([{ key: 'k', value: value(8) }]));
  });

  it('counts a value that is not in wire format whole', () => {
    const heads = [[], [1], [9, 0, 0, 0, 7, 1], [8, 0, 0, 0, 7, 1]].map((bytes) =>
      headOf([{ key: 'k', value: Buffer.from(bytes) }]),
    );
    expect(new Set(heads).size).toBe(heads.length);
  });

  it('distinguishes any two sequences that differ in a key, a body, their order or their number', () => {
    const wired = records.map((all) =>
      all.map(({ key, value }) => ({ key, value: Buffer.concat([Buffer.alloc(5), value]) })),
    );
    const text = (all: { key: string; value: Buffer }[]) =>
      JSON.stringify(all.map(({ key, value }) => [key, value.toString('hex')]));
    fc.assert(
      fc.property(wired, wired, (one, other) =>
        expect(headOf(one) === headOf(other)).toBe(text(one) === text(other)),
      ),
    );
  });
});
