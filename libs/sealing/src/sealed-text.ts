import {
  firstLabel,
  isFqdn,
  SEALED_BEGIN,
  SEALED_END,
  SEALED_HOST_NAME,
  SEALED_PUBLIC_ADDRESS,
} from '#libs/domain';
import { openGcmText, sealGcmText } from './gcm-text.ts';
import { isSivKey, openSivText, sealSivText } from './siv-text.ts';

/** What can be erased separately, with its data key. */
export interface SubjectKey {
  /** UUID in 22 characters of base64url. */
  subject: string;
  /** Its length decides the form of all sealed texts of the subject: 64 bytes, or 32 bytes of earlier versions. */
  key: Uint8Array;
}

/** Every sealed text in a longer one, in all forms: its subject, then its bytes. */
export const SEALED_TEXTS = /\ufdd0(?:[2hp]|v1\.)([\w-]{22})\.?([\w-]+(?:\.[\w-]+)?)\ufdd1/g;

/** Matches every sealed text of a subject, as a regular expression of PostgreSQL. */
export const textsOfSubject = (subject: string): string =>
  SEALED_TEXTS.source.replace('([\\w-]{22})', subject);

export const hasSealedText = (text: string): boolean => text.includes(SEALED_BEGIN);

/** The text was altered, or was sealed with another key. */
export class SealedTextError extends Error {
  override name = 'SealedTextError';
}

/** The same text of a subject always gives the same sealed text (ADR-0078). */
export const sealText = (text: string, { subject, key }: SubjectKey): string =>
  isSivKey(key)
    ? `${SEALED_BEGIN}2${subject}${sealSivText(text, subject, key)}${SEALED_END}`
    : `${SEALED_BEGIN}v1.${subject}.${sealGcmText(text, subject, key)}${SEALED_END}`;

/**
 * A host name of a machine, in lower case, as the fold compares names: the first label and the domain are sealed
 * separately, so that the fold sees whether it is an FQDN, and finds the host name in it (ADR-0112).
 */
export function sealHostName(name: string, { subject, key }: SubjectKey): string {
  const lower = name.toLowerCase();
  const label = firstLabel(lower);
  const parts = isFqdn(lower) ? [label, lower.slice(label.length + 1)] : [lower];
  const sealed = parts.map((part) => sealSivText(part, subject, key)).join('.');
  return `${SEALED_HOST_NAME}${subject}${sealed}${SEALED_END}`;
}

/** An address of a machine that can be reached from the internet, which scores need to know. */
export const sealPublicAddress = (address: string, { subject, key }: SubjectKey): string =>
  `${SEALED_PUBLIC_ADDRESS}${subject}${sealSivText(address, subject, key)}${SEALED_END}`;

/**
 * @param sealed the bytes of a sealed text, in base64url; of an FQDN with a dot between its parts
 * @throws SealedTextError
 */
export const openText = (sealed: string, key: SubjectKey): string =>
  sealed
    .split('.')
    .map((part) => openPart(part, key))
    .join('.');

function openPart(sealed: string, { subject, key }: SubjectKey): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const text = isSivKey(key) ? openSivText(bytes, subject, key) : openGcmText(bytes, subject, key);
  if (text === null) throw new SealedTextError(`a sealed text of subject ${subject} was altered`);
  return text;
}
