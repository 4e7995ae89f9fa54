import { openGcmText, sealGcmText } from './gcm-text.ts';
import { isSivKey, openSivText, sealSivText } from './siv-text.ts';

/** What can be erased separately, with its data key. */
export interface SubjectKey {
  /** UUID in 22 characters of base64url. */
  subject: string;
  /** Its length decides the form of all sealed texts of the subject: 64 bytes, or 32 bytes of earlier versions. */
  key: Uint8Array;
}

/** Noncharacters that Unicode reserves for internal use: `storable` replaces them in received texts. */
const BEGIN = '\ufdd0';
const END = '\ufdd1';

/** Every sealed text in a longer one, in both forms: its subject, then its bytes. */
export const SEALED_TEXTS = /\ufdd0(?:2|v1\.)([\w-]{22})\.?([\w-]+)\ufdd1/g;

/** Matches every sealed text of a subject, as a regular expression of PostgreSQL. */
export const textsOfSubject = (subject: string): string =>
  SEALED_TEXTS.source.replace('([\\w-]{22})', subject);

export const hasSealedText = (text: string): boolean => text.includes(BEGIN);

/** The text was altered, or was sealed with another key. */
export class SealedTextError extends Error {
  override name = 'SealedTextError';
}

/** The same text of a subject always gives the same sealed text (ADR-0078). */
export const sealText = (text: string, { subject, key }: SubjectKey): string =>
  isSivKey(key)
    ? `${BEGIN}2${subject}${sealSivText(text, subject, key)}${END}`
    : `${BEGIN}v1.${subject}.${sealGcmText(text, subject, key)}${END}`;

/**
 * @param sealed the bytes of a sealed text, in base64url
 * @throws SealedTextError
 */
export function openText(sealed: string, { subject, key }: SubjectKey): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const text = isSivKey(key) ? openSivText(bytes, subject, key) : openGcmText(bytes, subject, key);
  if (text === null) throw new SealedTextError(`a sealed text of subject ${subject} was altered`);
  return text;
}
