import { type Dirent, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { usageError } from '../cli-error.ts';

export interface FoundFile {
  path: string;
  /** Its path below the given directory, with slashes; its own name if it was given itself. */
  name: string;
}

export interface FoundFiles {
  signals: FoundFile[];
  /** ZIPs that are ready, to be sent as they are. */
  zips: FoundFile[];
  /** A config.json among them, which is never a signal. */
  configs: FoundFile[];
}

/**
 * The files behind the arguments of `posture upload`, directories walked in name order. Files that the service skips in
 * a ZIP (dot-files, `__MACOSX`) and other kinds of files are skipped in directories.
 * @throws CliError exit 2 if an argument does not exist or is of another kind
 */
export async function findFiles(args: string[]): Promise<FoundFiles> {
  const found: FoundFiles = { signals: [], zips: [], configs: [] };
  for (const path of args) {
    const about = await statOf(path);
    if (about.isDirectory()) {
      for await (const file of walk(path)) sortInto(found, { path: file, name: nameBelow(path, file) });
    } else if (!sortInto(found, { path, name: basename(path) })) {
      throw usageError(`${path} is not a .json signal, a .zip file or a directory`);
    }
  }
  return found;
}

async function statOf(path: string): Promise<Stats> {
  return stat(path).catch(cannotRead(path));
}

const cannotRead =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw usageError(
      error.code === 'ENOENT' ? `${path} does not exist` : `cannot read ${path} (${error.code})`,
    );
  };

const nameBelow = (root: string, file: string) => relative(root, file).split(sep).join('/');

/** @returns false if the file is of no kind that can be uploaded */
function sortInto(found: FoundFiles, file: FoundFile): boolean {
  const kind = extname(file.path).toLowerCase();
  if (basename(file.path).toLowerCase() === 'config.json') found.configs.push(file);
  else if (kind === '.json') found.signals.push(file);
  else if (kind === '.zip') found.zips.push(file);
  else return false;
  return true;
}

async function* walk(directory: string): AsyncGenerator<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(cannotRead(directory));
  for (const entry of entries.sort(byName)) {
    if (entry.name.startsWith('.') || entry.name === '__MACOSX') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile() || (entry.isSymbolicLink() && (await statOf(path)).isFile())) yield path;
  }
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
