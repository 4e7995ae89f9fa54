const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const BREAKS = /<\s*(?:br|\/p|p|\/li|\/div|\/tr|\/h\d)\b[^<>]{0,200}>/gi;
/** Letters or a slash right after the bracket: `a < b` is text. */
const TAGS = /<\/?[a-z][^<>]{0,1000}>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** Text of HTML: scanners put descriptions into it. Paragraphs and breaks become line ends. */
export function plainText(html: string | null): string | null {
  if (html === null) return null;
  const text = html
    .replace(BREAKS, '\n')
    .replace(TAGS, '')
    .replace(ENTITY, (whole, decimal, hex, name) => {
      if (name) return ENTITIES[name.toLowerCase()]!;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? null : text;
}
