import { join } from 'node:path';
import { runAs } from './spawn-as.ts';
import { fileOf } from './system-folders.ts';
import { assertReachable, type SystemUser } from './system-user.ts';

/** Who named the folder: POSTGRES_BIN, the machine (its PATH or a usual place), or the package of npm. */
export type Origin = 'setting' | 'system' | 'npm';

/** A folder that may hold the programs of a PostgreSQL. */
export interface Place {
  folder: string;
  origin: Origin;
}

/** The programs of one PostgreSQL, which run here. */
export interface Programs extends Place {
  initdb: string;
  postgres: string;
  /** As it says itself: `18.4`, `19beta2`. */
  version: string;
  major: number;
  /** Of clusters that another test version made, one can read nothing. */
  isTestVersion: boolean;
}

/** Programs that do not run here. */
export interface UnusablePrograms extends Place {
  /** A clause that says why. */
  why: string;
}

const VERSION = /\(PostgreSQL\) ((\d+)(\S*))/;

/** The version of the programs in a folder, determined by running both as the user that PostgreSQL would run as. */
export async function readPrograms(
  place: Place,
  user: SystemUser | undefined,
): Promise<Programs | UnusablePrograms> {
  const postgres = join(place.folder, fileOf('postgres'));
  const initdb = join(place.folder, fileOf('initdb'));
  try {
    if (user) await assertReachable(postgres, user);
    const version = await versionOf(postgres, user);
    const other = await versionOf(initdb, user);
    if (other.text !== version.text) return { ...place, why: `its initdb belongs to ${other.text}` };
    const { text, major, isTestVersion } = version;
    return { ...place, initdb, postgres, version: text, major, isTestVersion };
  } catch (error) {
    return { ...place, why: (error as Error).message.trim() };
  }
}

async function versionOf(program: string, user: SystemUser | undefined) {
  const said = await runAs(user, program, ['--version']);
  const [, text, major, rest] = VERSION.exec(said) ?? [];
  if (!text) throw new Error(`${program} --version says ${JSON.stringify(said.slice(0, 100))}`);
  return { text, major: Number(major), isTestVersion: !/^(\.\d+)*$/.test(rest!) };
}
