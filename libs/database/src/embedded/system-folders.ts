import { access, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** Folders in which a platform's packages install the programs of PostgreSQL; `*` is any text within one name. */
const USUAL_PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    // Debian, Ubuntu and Arch; SUSE; PostgreSQL's own for Red Hat; Alpine; Gentoo.
    '/usr/lib/postgresql/*/bin',
    '/usr/lib/postgresql*/bin',
    '/usr/pgsql-*/bin',
    '/usr/libexec/postgresql*',
    '/usr/lib64/postgresql-*/bin',
  ],
  darwin: [
    // Homebrew on either processor, Postgres.app, EDB's installer, MacPorts.
    '/opt/homebrew/opt/postgresql*/bin',
    '/usr/local/opt/postgresql*/bin',
    '/Applications/Postgres.app/Contents/Versions/*/bin',
    '/Library/PostgreSQL/*/bin',
    '/opt/local/lib/postgresql*/bin',
  ],
  win32: ['C:\\Program Files\\PostgreSQL\\*\\bin'],
};

/** File name of a program. */
export const fileOf = (program: string, platform = process.platform): string =>
  platform === 'win32' ? `${program}.exe` : program;

/**
 * Folders with a `postgres`, as the system has it: on the PATH, then in the usual places of the platform.
 * @param path value of PATH; its relative entries are skipped, as the working directory is arbitrary
 * @param places patterns instead of the usual ones
 * @returns absolute paths without symbolic links, each once
 */
export async function systemFolders(
  path = process.env.PATH ?? '',
  places: readonly string[] = USUAL_PLACES[process.platform] ?? [],
): Promise<string[]> {
  const onPath = path.split(delimiter).filter(isAbsolute);
  const usual = (await Promise.all(places.map(expand))).flat();
  const folders = await Promise.all([...onPath, ...usual].map(folderOfPostgres));
  return [...new Set(folders.filter((folder) => folder !== null))];
}

/** A `postgres` on the PATH is often a link into the folder that has all programs. */
const folderOfPostgres = (folder: string): Promise<string | null> =>
  realpath(join(folder, fileOf('postgres'))).then(dirname, () => null);

/** The folders that a pattern with one `*` means, the greatest number first. */
async function expand(pattern: string): Promise<string[]> {
  const [before, after] = pattern.split('*') as [string, string];
  const parent = before.endsWith(sep) ? before : dirname(before);
  const prefix = before.endsWith(sep) ? '' : basename(before);
  const names = await readdir(parent).catch(() => []);
  const folders = names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name) + after);
  const there = await Promise.all(
    folders.map((folder) =>
      access(folder).then(
        () => [folder],
        () => [],
      ),
    ),
  );
  return there.flat().sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}
