/** Controls except the line feed, and formats: of direction, and of no width. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** A text in one line, without characters that have no appearance or turn the direction of others. */
export const line = (text: string, charactersMax: number): string =>
  clipped(text.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim(), charactersMax);

/** As `line`, with its line breaks and as many spaces. */
export const lines = (text: string, charactersMax: number): string =>
  clipped(
    text
      .replace(/\r\n?/g, '\n')
      .replace(/[\t\v\f]/g, ' ')
      .replace(INVISIBLE, '')
      .trim(),
    charactersMax,
  );

/** By code points, so that no character is cut. */
export function clipped(text: string, charactersMax: number): string {
  const characters = [...text];
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** By UTF-16 code units, without half a character at the end. */
export const shortened = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
