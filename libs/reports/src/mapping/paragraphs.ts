import type { OrList } from './or-list.ts';

/** The non-empty ones of several texts, with an empty line between them; null if there are none. */
export const paragraphs = (...texts: OrList<string | null | undefined>[]): string | null =>
  texts
    .flat()
    .filter((text) => text !== null && text !== undefined && text !== '')
    .join('\n\n') || null;

/** `Affected: …`; null without a text. */
export const labelled = (label: string, text: string | null | undefined): string | null =>
  text === null || text === undefined || text === '' ? null : `${label}: ${text}`;
