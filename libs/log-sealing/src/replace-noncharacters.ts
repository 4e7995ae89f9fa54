/** A sealed text begins with U+FDD0 and ends with U+FDD1; earlier versions stored both as they were received. */
const MARKS = /[\ufdd0\ufdd1]/g;
/** U+FDD0 and U+FDD1 in UTF-8 begin with these bytes. */
const MARK_BYTES = Buffer.from([0xef, 0xb7]);

export const mayHaveMarks = (value: Buffer): boolean => value.includes(MARK_BYTES);

/** As received texts are stored today: no old text can be taken for a sealed one. */
export function withoutMarks<T>(value: T): T {
  if (typeof value === 'string') return value.replace(MARKS, '\ufffd') as T;
  if (Array.isArray(value)) return value.map(withoutMarks) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [withoutMarks(name), withoutMarks(child)]),
  ) as T;
}
