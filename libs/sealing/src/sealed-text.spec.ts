import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstLabel, isFqdn, isMachineName } from '#libs/domain';
import {
  hasSealedText,
  openText,
  SEALED_TEXTS,
  SealedTextError,
  sealHostName,
  sealPublicAddress,
  sealText,
} from './sealed-text.ts';
import { newDataKey } from './siv-text.ts';

const newSubject = () => randomBytes(16).toString('base64url');
const partsOf = (sealed: string) =>
  [...sealed.matchAll(SEALED_TEXTS)].map(([, subject, bytes]) => ({ subject, bytes: bytes! }));

describe.each([
  ['of a new subject', newDataKey],
  ['of a subject of an earlier version', () => randomBytes(32)],
])('sealed texts %s', (_, newData) => {
  const newKey = () => ({ subject: newSubject(), key: newData() });

  it('open to the text, with the key of their subject', () => {
    const key = newKey();
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), (text) => {
        const sealed = sealText(text, key);
        const [part, ...others] = partsOf(sealed);
        expect(others).toEqual([]);
        expect(part!.subject).toBe(key.subject);
        expect(openText(part!.bytes, key)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it('are the same for the same text of a subject, and different for another subject', () => {
    const [a, b] = [newKey(), newKey()];
    expect(sealText('ana', a)).toBe(sealText('ana', a));
    expect(sealText('ana', a)).not.toBe(sealText('Ana', a));
    expect(partsOf(sealText('ana', a))[0]!.bytes).not.toBe(partsOf(sealText('ana', b))[0]!.bytes);
    const moved = { ...b, key: a.key };
    expect(partsOf(sealText('ana', a))[0]!.bytes).not.toBe(partsOf(sealText('ana', moved))[0]!.bytes);
  });

  it('are found in a sentence, whatever follows them', () => {
    const key = newKey();
    const sentence = `${sealText('ana', key)}-x of ${sealText('web', key)}${sealText('ana', key)}abc`;
    expect(hasSealedText(sentence)).toBe(true);
    expect(sentence.replace(SEALED_TEXTS, (_, __, bytes) => openText(bytes, key))).toBe('ana-x of webanaabc');
  });

  it('do not open if they were altered, or with another subject or key', () => {
    const key = newKey();
    const { bytes } = partsOf(sealText('ana', key))[0]!;
    const altered = (at: number) => {
      const changed = Buffer.from(bytes, 'base64url');
      changed[at]! ^= 1;
      return changed.toString('base64url');
    };
    for (const [text, with_] of [
      [altered(0), key],
      [altered(14), key],
      [bytes.slice(0, 10), key],
      [bytes.slice(0, -2), key],
      [bytes, { ...key, subject: newSubject() }],
      [bytes, { ...key, key: newData() }],
    ] as const) {
      expect(() => openText(text, with_)).toThrow(SealedTextError);
    }
  });
});

describe('sealed texts of both forms', () => {
  it('open in one sentence, each with the key of its subject', () => {
    const [old, recent] = [randomBytes(32), newDataKey()].map((key) => ({ subject: newSubject(), key }));
    const keys = new Map([old!, recent!].map((key) => [key.subject, key]));
    const sentence = `${sealText('ana', old!)} and ${sealText('ben', recent!)}`;
    expect(sentence.replace(SEALED_TEXTS, (_, subject, bytes) => openText(bytes, keys.get(subject)!))).toBe(
      'ana and ben',
    );
  });

  it('keep the form of their subject: 32 bytes of a key are `v1`', () => {
    const key = { subject: 'r_EzhSUUgWGSLdnR5pL_fQ', key: Buffer.alloc(32, 7) };
    expect(sealText('ana', key)).toBe(
      '\ufdd0v1.r_EzhSUUgWGSLdnR5pL_fQ.SlVh81aCdA_Q18oWHVEk4BFRvbRvc8QXbbmSxDUYwQ\ufdd1',
    );
  });

  it('have the bytes of HMAC-SHA-256 and AES-256-CTR, whether they are short or long', () => {
    const key = { subject: newSubject(), key: newDataKey() };
    for (const text of [
      '',
      'a',
      'x'.repeat(16),
      'é€😀'.repeat(300),
      'y'.repeat(1_365),
      'z'.repeat(1_366),
      'w'.repeat(70_000),
    ]) {
      const siv = createHmac('sha256', key.key.subarray(0, 32))
        .update(key.subject + text)
        .digest()
        .subarray(0, 12);
      const cipher = createCipheriv(
        'aes-256-ctr',
        key.key.subarray(32),
        Buffer.concat([siv, Buffer.alloc(4)]),
      );
      const expected = Buffer.concat([siv, cipher.update(text, 'utf8'), cipher.final()]).toString(
        'base64url',
      );
      expect(partsOf(sealText(text, key))[0]!.bytes).toBe(expected);
    }
  });
});

describe('sealed names of machines', () => {
  const key = { subject: newSubject(), key: newDataKey() };
  const opened = (text: string) => text.replace(SEALED_TEXTS, (_, __, bytes) => openText(bytes, key));

  const label = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
  const hostName = fc
    .array(label, { minLength: 1, maxLength: 4 })
    .map((labels) => labels.join('.'))
    .filter(isMachineName);

  it('answer the questions of the fold as the names do, in any case', () => {
    fc.assert(
      fc.property(hostName, hostName, (name, other) => {
        const sealed = sealHostName(name, key);
        expect(opened(sealed)).toBe(name.toLowerCase());
        expect([isMachineName(sealed), isFqdn(sealed)]).toEqual([true, isFqdn(name)]);
        expect(firstLabel(sealed)).toBe(sealHostName(firstLabel(name), key));
        expect(sealed === sealHostName(other, key)).toBe(name.toLowerCase() === other.toLowerCase());
      }),
    );
  });

  it('are one text, of which the domain is not the name of another machine', () => {
    const sealed = sealHostName('ana-laptop.home.example', key);
    expect(partsOf(sealed)).toHaveLength(1);
    expect(partsOf(`${sealed}.x ${sealPublicAddress('8.8.8.8', key)}`).map(({ subject }) => subject)).toEqual(
      [key.subject, key.subject],
    );
    expect(opened(`${sealed}.x ${sealPublicAddress('8.8.8.8', key)}`)).toBe(
      'ana-laptop.home.example.x 8.8.8.8',
    );
    const { bytes } = partsOf(sealed)[0]!;
    expect(() =>
      openText(
        bytes.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        key,
      ),
    ).toThrow(SealedTextError);
  });
});
