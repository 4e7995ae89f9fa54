import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueFile, ReadBytes, type ReadOptions } from './catalogue-file.ts';
import { CatalogueFileError } from './catalogue-file-error.ts';
import { diskFile, startsWith } from './disk-file.ts';
import { zipFiles } from './zip-files.ts';

const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/**
 * The files behind a path, one after the other: the file itself, those of a ZIP archive, or those of a directory and its
 * sub-directories in the order of their names, also behind symbolic links to files; files and directories that begin
 * with a dot are left out. The order is the same at each reading.
 * @throws CatalogueFileError if a directory contains anything else, such as a link to a directory
 */
export async function* catalogueFiles(
  path: string,
  { onBytes }: ReadOptions = {},
): AsyncGenerator<CatalogueFile> {
  const read = new ReadBytes(onBytes);
  if ((await stat(path)).isDirectory()) yield* directoryFiles(path, read);
  else if (await isZip(path)) yield* zipFiles(path, read);
  else yield diskFile(path, read);
}

async function* directoryFiles(path: string, read: ReadBytes): AsyncGenerator<CatalogueFile> {
  const entries = await readdir(path, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* directoryFiles(inside, read);
    else if ((await stat(inside)).isFile()) yield diskFile(inside, read);
    else throw new CatalogueFileError(inside, null, 'must be a file, a link to a file, or a directory');
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(ZIP.length);
    await file.read(start, 0, ZIP.length, 0);
    return startsWith(start, ZIP);
  } finally {
    await file.close();
  }
}
