import type { Programs, UnusablePrograms } from './programs.ts';

/** The least that the tables need, as for DATABASE_URL. */
const MAJOR_MIN = 15;

/** The search for programs and its result. */
export interface Search {
  /** Major version of the cluster that there is; null: a new one must be made. */
  clusterMajor: number | null;
  /** POSTGRES_BIN names the folder. */
  isSet: boolean;
  usable: readonly Programs[];
  unusable: readonly UnusablePrograms[];
}

/**
 * Which programs to try, the best first. Only programs of the same major version, in any minor version, can open a
 * cluster. The programs of the system precede those of npm, because the system updates them. For a new cluster, the
 * major version of npm precedes others, so that npm's programs can open it if the system's are removed.
 */
export function choosePrograms({ usable, clusterMajor }: Omit<Search, 'isSet' | 'unusable'>): Programs[] {
  const npmMajor = usable.find(({ origin }) => origin === 'npm')?.major;
  const rank = (one: Programs) => [
    one.origin === 'npm' ? 0 : 1,
    one.major === npmMajor ? 1 : 0,
    one.major,
    minorOf(one),
  ];
  return usable
    .filter((one) => isKnown(one) && (clusterMajor === null || one.major === clusterMajor))
    .sort((a, b) => compare(rank(b), rank(a)));
}

/** A test version is used only if a setting names it. */
const isKnown = ({ major, isTestVersion, origin }: Programs): boolean =>
  major >= MAJOR_MIN && (!isTestVersion || origin === 'setting');

const minorOf = ({ version }: Programs): number => Number(/^\d+\.(\d+)/.exec(version)?.[1] ?? 0);

const compare = (a: number[], b: number[]): number => {
  const first = a.findIndex((value, index) => value !== b[index]);
  return first < 0 ? 0 : a[first]! - b[first]!;
};

/** Why there is nothing to try, as a sentence that says what to do. */
export function whyNoPrograms(
  { clusterMajor, isSet, usable, unusable }: Search,
  { directory, platform }: { directory: string; platform: string },
): string {
  const needed = clusterMajor === null ? `PostgreSQL ${MAJOR_MIN} or later` : `PostgreSQL ${clusterMajor}`;
  const known = [...usable.map(said), ...unusable.map(({ folder, why }) => `${folder}: ${why}`)];
  const found = known.length > 0 ? `found: ${known.join('; ')}` : `found: none for ${platform}`;
  const makes = `the folder of the initdb and postgres of ${needed}`;
  if (isSet) {
    const forWhom = clusterMajor === null ? '' : `, which created the database in ${directory}`;
    return `POSTGRES_BIN must be ${makes}${forWhom} (${found}), or unset`;
  }
  if (clusterMajor === null) {
    return `${needed} was not found (${found}): run npm ci, install it, set POSTGRES_BIN to ${makes}, or set DATABASE_URL`;
  }
  return (
    `the database in ${directory} was created by ${needed}, which was not found (${found}): ` +
    `install it again, or set POSTGRES_BIN to ${makes} (docs/operating.md, "Which PostgreSQL runs")`
  );
}

const said = ({ version, folder }: Programs): string => `${version} in ${folder}`;
