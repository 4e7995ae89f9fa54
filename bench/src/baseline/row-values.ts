import type { BareFinding } from './bare-finding.ts';

/** The literal of a text[]. */
export const textArray = (items: string[]): string =>
  `{${items.map((item) => JSON.stringify(item)).join(',')}}`;

/** The column `cause`, as JSON. */
export const causeOf = ({ eventId, uploadId, entry, user, requestId }: BareFinding): string =>
  JSON.stringify({ eventId, kind: 'zip', uploadId, entry, syncId: null, user, requestId });
