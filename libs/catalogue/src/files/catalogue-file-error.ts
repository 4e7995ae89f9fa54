/**
 * A catalogue file is damaged, or not in the format that it must be in. The message is a sentence that names the file,
 * the place in it and what was expected. Nothing that was read of the file before may come into force.
 */
export class CatalogueFileError extends Error {
  override name = 'CatalogueFileError';

  constructor(
    /** Path, with the entry where it is an archive: `cves.zip: cves/2024/0xxx/CVE-2024-0001.json`. */
    readonly file: string,
    /** Line, record or byte, such as `line 7`; null for the file as a whole. */
    readonly place: string | null,
    /** What is there and what was expected. */
    readonly problem: string,
  ) {
    super(`${file}${place === null ? '' : `, ${place}`}: ${problem}`);
  }
}

/** What a broken file is told as: errors of its content name the file, those of the system stay what they are. */
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
