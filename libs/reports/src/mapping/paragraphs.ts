/** The non-empty ones of several texts, with an empty line between them; null if there are none. */
export const paragraphs = (...texts: (string | null | undefined)[]): string | null =>
  texts.filter((text) => text !== null && text !== undefined && text !== '').join('\n\n') || null;

/** `Affected: …`; null without a text. */
export const labelled = (label: string, text: string | null | undefined): string | null =>
  text === null || text === undefined || text === '' ? null : `${label}: ${text}`;
