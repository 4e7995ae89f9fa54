// The native code in a package: programs, libraries and addons, for any platform.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** The first bytes of ELF, Mach-O (either width and order, and for several processors), PE, and archives of objects. */
const BEGINNINGS = [
  '7f454c46',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
  '4d5a',
  '213c6172',
];
const LONGEST = 4;

/**
 * @param {string} folder of a package; nested packages are skipped
 * @returns {{path: string, text: string, sha256: string}[]} sorted by `path`, which is relative to the folder, with
 *   slashes; `text` is the content, one character for each byte
 */
export function nativeFilesOf(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(folder.length).includes('node_modules') && isNative(path));
  return paths.sort().map((path) => {
    const bytes = readFileSync(path);
    return {
      path: path.slice(folder.length + 1).replaceAll('\\', '/'),
      text: bytes.toString('latin1'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  });
}

function isNative(path) {
  const file = openSync(path, 'r');
  const first = Buffer.alloc(LONGEST);
  readSync(file, first);
  closeSync(file);
  return BEGINNINGS.some((beginning) => first.toString('hex').startsWith(beginning));
}
