import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of files, and of all files in directories, also behind links; names that begin with a dot are skipped, as by the import. */
export async function sizeOf(paths: string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += await sizeOfOne(path);
  return bytes;
}

async function sizeOfOne(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for await (const entry of await opendir(path)) {
    if (entry.name.startsWith('.')) continue;
    const inside = join(path, entry.name);
    bytes += entry.isDirectory() ? await sizeOfOne(inside) : (await stat(inside)).size;
  }
  return bytes;
}
