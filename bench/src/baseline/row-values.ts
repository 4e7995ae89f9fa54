import { hash } from 'node:crypto';
import type { BareFinding } from './bare-finding.ts';

/** The literal of a text[]. */
export const textArray = (items: string[]): string =>
  `{${items.map((item) => JSON.stringify(item)).join(',')}}`;

/** The column `cause`, as JSON. */
export const causeOf = ({ eventId, uploadId, entry, user, requestId }: BareFinding): string =>
  JSON.stringify({ eventId, kind: 'zip', uploadId, entry, syncId: null, user, requestId });

/** The columns that are derived from the body: text, times, version. */
export const derivedOf = ({ name, body }: BareFinding): [string, number, number, number] => [
  hash('md5', `${name} ${body.description ?? ''}`),
  body.updatedAt,
  body.firstSeen,
  1,
];

/** The literal of an array of numbers, ids, instants or fixed words. Skips the escaping of the driver. */
export const bareArray = (items: readonly (string | number | null)[]): string =>
  `{${items.map((item) => item ?? 'NULL').join(',')}}`;

/** Concatenated texts, and the start of each, counted from 1. */
export function packed(texts: readonly string[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  let start = 1;
  const starts = lengths.map((length) => {
    start += length;
    return start - length;
  });
  return { bytes: Buffer.from(texts.join('')), starts, lengths };
}

/** What the only source said of a new asset, as the projector keeps it. */
export const statementOf = (
  source: string | null,
  since: number,
  said: Record<string, unknown>,
): Record<string, unknown> => ({ source, deviceId: null, since, ...said });
