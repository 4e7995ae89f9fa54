import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasSealedText, openText, SEALED_TEXTS, SealedTextError, sealText } from './sealed-text.ts';

const newKey = () => ({ subject: randomBytes(16).toString('base64url'), key: randomBytes(32) });
const partsOf = (sealed: string) =>
  [...sealed.matchAll(SEALED_TEXTS)].map(([, subject, bytes]) => ({ subject, bytes: bytes! }));

describe('sealed texts', () => {
  it('open to the text, with the key of their subject', () => {
    const key = newKey();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
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
    const altered = Buffer.from(bytes, 'base64url');
    altered[14]! ^= 1;
    for (const [text, with_] of [
      [altered.toString('base64url'), key],
      [bytes.slice(0, 20), key],
      [bytes, { ...key, subject: newKey().subject }],
      [bytes, { ...key, key: randomBytes(32) }],
    ] as const) {
      expect(() => openText(text, with_)).toThrow(SealedTextError);
    }
  });
});
