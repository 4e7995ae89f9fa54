import { existsSync } from 'node:fs';

/**
 * URL of a file or folder of the program, by its path from the project's root; works from sources, from compiled and
 * from bundled code.
 */
export const projectFile = (path: string): URL => new URL(path, ROOT);

const ROOT = folderOf('package.json', new URL('.', import.meta.url));

/** The nearest above, or the folder itself. */
function folderOf(file: string, folder: URL): URL {
  if (existsSync(new URL(file, folder))) return folder;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error(`no folder above this program has a ${file}`);
  return folderOf(file, above);
}
