import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { choosePrograms, type Search, whyNoPrograms } from './choose-programs.ts';
import { npmFolder } from './npm-folder.ts';
import { type Place, type Programs, readPrograms, type UnusablePrograms } from './programs.ts';
import { systemFolders } from './system-folders.ts';
import type { SystemUser } from './system-user.ts';

/** As POSTGRES_BIN: the programs of the npm package, even if the system has its own. */
export const NPM_PROGRAMS = 'npm';

/** The programs for a cluster, the best first, one at least. */
export interface FoundPrograms {
  fitting: readonly Programs[];
  /** The system's programs that cannot be run, if it has no others. */
  unusable: readonly UnusablePrograms[];
}

/**
 * The programs to run the cluster of `directory` with, or to make it.
 * @param setting POSTGRES_BIN: a folder, or `npm`; nothing else is looked at then
 * @throws Error with a sentence that states what was found, and what to do
 */
export async function findPrograms(
  directory: string,
  { setting, user }: { setting: string | undefined; user: SystemUser | undefined },
): Promise<FoundPrograms> {
  const { platform, arch } = process;
  const found = await Promise.all((await placesOf(setting)).map((place) => readPrograms(place, user)));
  const search: Search = {
    clusterMajor: await majorOf(directory),
    isSet: setting !== undefined,
    usable: found.filter((one) => 'version' in one),
    unusable: found.filter((one) => 'why' in one),
  };
  const fitting = choosePrograms(search);
  if (fitting.length === 0) {
    throw new Error(whyNoPrograms(search, { directory, platform: `${platform}-${arch}` }));
  }
  const isMissed = fitting[0]!.origin === 'npm';
  return { fitting, unusable: search.unusable.filter(({ origin }) => isMissed && origin === 'system') };
}

async function placesOf(setting: string | undefined): Promise<Place[]> {
  if (setting !== undefined && setting !== NPM_PROGRAMS)
    return [{ folder: resolve(setting), origin: 'setting' }];
  const ofNpm = npmFolder(process.platform, process.arch);
  const ofSystem = setting === undefined ? await systemFolders() : [];
  return [
    ...ofSystem.map((folder): Place => ({ folder, origin: 'system' })),
    ...(ofNpm === null ? [] : [{ folder: ofNpm, origin: 'npm' } as const]),
  ];
}

/** Which PostgreSQL made a cluster; null if there is none. */
async function majorOf(directory: string): Promise<number | null> {
  const text = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
}
