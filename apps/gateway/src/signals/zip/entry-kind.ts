/** The kind of a ZIP entry, only by its name (R-ZIP-2). */
export type EntryKind = 'signal' | 'skipped' | 'nested' | 'malformed';

const SKIPPED_NAMES = new Set(['thumbs.db', 'desktop.ini']);
const ARCHIVE = /\.(zip|jar|7z|rar|tar|gz|tgz|bz2|xz|zst)$/i;

/**
 * `*.json` in any case and folder is a signal; directories, `__MACOSX/`, dot-files and what Windows leaves behind are
 * skipped; an archive inside the archive is rejected; anything else is malformed.
 */
export function entryKind(name: string): EntryKind {
  const parts = name.split('/');
  const file = parts.at(-1)!;
  if (file === '' || parts[0] === '__MACOSX') return 'skipped';
  if (file.startsWith('.') || SKIPPED_NAMES.has(file.toLowerCase())) return 'skipped';
  if (/\.json$/i.test(file)) return 'signal';
  return ARCHIVE.test(file) ? 'nested' : 'malformed';
}

/** Whether an entry can only be meant as the ZipConfig, wherever it is. */
export const isConfigName = (name: string): boolean => /(?:^|\/)config\.json$/i.test(name);

/**
 * The name of the entry that is the ZipConfig: `config.json` at the root, or in the single top folder that contains all
 * other entries; null if there is none (R-ZIP-3).
 * @param names of the entries that are not skipped
 */
export function configEntryOf(names: readonly string[]): string | null {
  if (names.includes('config.json')) return 'config.json';
  const [first = ''] = names;
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || !names.every((name) => name.startsWith(folder))) return null;
  return names.includes(`${folder}config.json`) ? `${folder}config.json` : null;
}
