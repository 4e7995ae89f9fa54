/** Texts in UTF-8, one after the other, and the position of each: `substring` counts from 1. */
export interface PackedTexts {
  bytes: Buffer;
  starts: number[];
  lengths: number[];
}

/** As one parameter of bytes: in a text[] every quote of a JSON text is escaped here and unescaped in PostgreSQL. */
export function packTexts(texts: string[]): PackedTexts {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  const starts = texts.map((text) => {
    const start = end + 1;
    end += bytes.write(text, end);
    return start;
  });
  return { bytes, starts, lengths };
}
