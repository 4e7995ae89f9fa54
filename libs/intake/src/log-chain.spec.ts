import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeIntake, HEADER_BYTES } from '#libs/contracts';
import type { IntakePayload } from '#libs/domain';
import { event, T0 } from '../../../test/support/scenario.ts';
import { CHAIN_START, chainAfter, formerChainAfter } from './log-chain.ts';

interface Given {
  key: string;
  value: Buffer;
}

const records = fc.array(
  fc.record({ key: fc.string(), value: fc.uint8Array().map((it) => Buffer.from(it)) }),
  { maxLength: 8 },
);
const headOf = (given: Given[], chain = chainAfter) => given.reduce(chain, CHAIN_START).toString('hex');
const hashed = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

const VALUE = Buffer.from([0, 0, 0, 0, 7, 1, 2, 3]);

describe('chainAfter', () => {
  it('hashes the head, the length of the key, the key and the value', () => {
    const expected = hashed(Buffer.alloc(32), Buffer.from([0, 0, 0, 3]), Buffer.from('ü1'), VALUE);
    expect(chainAfter(CHAIN_START, { key: 'ü1', value: VALUE })).toEqual(expected);
  });

  it('differs for events that have the same body, such as a comment and an acceptance', () => {
    const finding = { findingId: '3f2504e0-4f89-51d3-9a0c-0305e82c3301', seenVersion: 3 };
    const text = 'No local users';
    const values = [
      { type: 'FindingCommented', ...finding, text, mentions: [] },
      { type: 'FindingAccepted', ...finding, rationale: text, until: null },
    ].map((payload) => encodeIntake(event(payload as IntakePayload, T0)));
    const [comment, acceptance] = values.map((value) => headOf([{ key: 'k', value }]));
    expect(values[0]!.subarray(HEADER_BYTES)).toEqual(values[1]!.subarray(HEADER_BYTES));
    expect(comment).not.toBe(acceptance);
  });

  it('distinguishes any two sequences that differ in a key, a value, their order or their number', () => {
    const text = (all: Given[]) => JSON.stringify(all.map(({ key, value }) => [key, value.toString('hex')]));
    fc.assert(
      fc.property(records, records, (one, other) =>
        expect(headOf(one) === headOf(other)).toBe(text(one) === text(other)),
      ),
    );
  });
});

describe('formerChainAfter', () => {
  it('hashes a value in wire format without its first 5 bytes, and any other one whole', () => {
    const linkOf = (bytes: Uint8Array) =>
      hashed(CHAIN_START, Buffer.from([0, 0, 0, 1]), Buffer.from('k'), bytes);
    for (const [value, bytes] of [
      [VALUE, VALUE.subarray(5)],
      [Buffer.from([9, 0, 0, 0, 7, 1]), Buffer.from([9, 0, 0, 0, 7, 1])],
      [Buffer.from([0, 1]), Buffer.from([0, 1])],
    ] as const) {
      expect(formerChainAfter(CHAIN_START, { key: 'k', value })).toEqual(linkOf(bytes));
    }
  });
});
