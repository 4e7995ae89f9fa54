import type { Fail } from '#libs/readers';

/**
 * A catalogue file is damaged, or not in the required format. The message is a sentence that names the file, the
 * position in it and the expected value. Rows that were already read from the file must not come into force.
 */
export class CatalogueFileError extends Error {
  override name = 'CatalogueFileError';

  constructor(
    /** Path, with the entry if it is an archive: `cves.zip: cves/2024/0xxx/CVE-2024-0001.json`. */
    readonly file: string,
    /** Line, record or byte, such as `line 7`; null for the file as a whole. */
    readonly place: string | null,
    /** The actual and the expected value. */
    readonly problem: string,
  ) {
    super(`${file}${place === null ? '' : `, ${place}`}: ${problem}`);
  }
}

export const failOf =
  (file: string): Fail =>
  (place, problem) =>
    new CatalogueFileError(file, place, problem);

/** Error of a broken file: errors of its content name the file, system errors are unchanged. */
export function asCatalogueFileError(file: string, error: unknown): unknown {
  if (error instanceof CatalogueFileError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR')
    return new CatalogueFileError(file, null, 'ends before its compressed data does');
  if (code?.startsWith('Z_'))
    return new CatalogueFileError(file, null, `its compressed data is damaged (${code})`);
  if (code !== undefined) return error;
  return new CatalogueFileError(file, null, message);
}
