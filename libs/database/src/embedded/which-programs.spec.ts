import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { describeSystemPostgres } from '../../../../test/support/system-postgres.ts';
import { openDatabase } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { NPM_PROGRAMS } from './find-programs.ts';

const settings = { shared_buffers: '16MB', max_connections: '10' };
const { PATH } = process.env;

let root: string;
let count = 0;
const started: EmbeddedPostgres[] = [];

async function start(directory: string, postgresBin?: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, postgresBin, settings, log: () => {} });
  started.push(server);
  return server;
}

const stopAll = () => Promise.all(started.splice(0).map((server) => server.stop()));

async function ask<T>({ url }: EmbeddedPostgres, text: string): Promise<T[]> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    return (await sql.raw<T>(text).execute(db)).rows;
  } finally {
    await close();
  }
}

const newDirectory = () => join(root, `${++count}`, 'postgres');

/** Makes a cluster with something in it, and stops it. Returns its directory. */
async function makeCluster(postgresBin?: string): Promise<string> {
  const directory = newDirectory();
  await ask(await start(directory, postgresBin), 'create table kept as select 7 as id');
  await stopAll();
  return directory;
}

/** A folder on the PATH whose programs say a version, and then fail. */
async function putOnPath(version: string, message: string): Promise<string> {
  const folder = join(root, `${++count}-bin`);
  await mkdir(folder);
  for (const name of ['postgres', 'initdb']) {
    const script = `#!/bin/sh\n[ "$1" = --version ] && exec echo '${name} (PostgreSQL) ${version}'\necho '${message}' >&2\nexit 1\n`;
    await writeFile(join(folder, name), script, { mode: 0o755 });
  }
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  return folder;
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'which-')));
  await chmod(root, 0o755);
});
afterEach(async () => {
  process.env.PATH = PATH;
  await stopAll();
});
afterAll(() => rm(root, { recursive: true, force: true }));

describeSystemPostgres('a PostgreSQL of the system', () => {
  it('makes a new cluster, with the same order and cases as that of npm', async () => {
    const ofSystem = await start(newDirectory());
    const ofNpm = await start(newDirectory(), NPM_PROGRAMS);
    expect(ofSystem).toMatchObject({ programs: { origin: 'system' }, skipped: [] });
    expect(await ask(ofSystem, 'show server_version')).toEqual([
      { server_version: expect.stringMatching(`^${ofSystem.programs.version}(?!\\d)`) },
    ]);
    const order = `select string_agg(word, ' ' order by word) as words, lower('ÄÉŐЖΣ') as lower,
      'Ä' ilike 'ä' as alike from unnest(array['b', 'Z', 'a', 'ä', 'B', 'é', '_', 'z-', 'za']) word`;
    const expected = [{ words: 'B Z _ a b z- za ä é', lower: 'äéőжσ', alike: true }];
    expect(await ask(ofSystem, order)).toEqual(expected);
    expect(await ask(ofNpm, order)).toEqual(expected);
  });

  it('continues with the cluster that it created, by that folder too', async () => {
    const directory = await makeCluster();
    const again = await start(directory);
    expect(again.programs.origin).toBe('system');
    expect(await ask(again, 'select id from kept')).toEqual([{ id: 7 }]);
    await stopAll();
    const named = await start(directory, again.programs.folder);
    expect(named.programs).toMatchObject({ folder: again.programs.folder, origin: 'setting' });
    expect(await ask(named, 'select id from kept')).toEqual([{ id: 7 }]);
  });
});

describe('the programs for a cluster', () => {
  it('are of the major version that created it, even if the system has others', async () => {
    const directory = await makeCluster(NPM_PROGRAMS);
    await putOnPath('99.1', 'never to be run');
    const again = await start(directory);
    expect(again.programs.version).toMatch(/^18\./);
    expect(again.skipped).toEqual([]);
    expect(await ask(again, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('are the programs of npm if those of the system cannot open it', async () => {
    const directory = await makeCluster(NPM_PROGRAMS);
    const folder = await putOnPath('18.99', 'FATAL:  built with other pages');
    const again = await start(directory);
    expect(again.programs.folder).not.toBe(folder);
    expect(again.skipped).toEqual([
      `the PostgreSQL in ${folder} is not used: PostgreSQL did not start in ${directory}: FATAL:  built with other pages`,
    ]);
    expect(await ask(again, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('are others if the programs of the system cannot create it', async () => {
    const folder = await putOnPath('18.99', 'invalid locale name');
    const { programs, skipped } = await start(newDirectory());
    expect(programs.folder).not.toBe(folder);
    expect(skipped).toEqual([expect.stringContaining(`${folder} is not used: PostgreSQL could not be`)]);
  });

  it('are never searched for if POSTGRES_BIN names them: it fails with their output', async () => {
    const folder = await putOnPath('18.99', 'invalid locale name');
    const directory = newDirectory();
    await expect(start(directory, folder)).rejects.toThrow(
      `PostgreSQL could not be initialised in ${directory}: invalid locale name`,
    );
    await expect(start(directory, join(root, 'nowhere'))).rejects.toThrow(
      /^POSTGRES_BIN must be the folder of the initdb and postgres of PostgreSQL 15 or later \(found: .*nowhere/,
    );
  });

  it('must be of one version, and say it', async () => {
    const folder = await putOnPath('18.99', '');
    await writeFile(join(folder, 'initdb'), "#!/bin/sh\necho 'initdb (PostgreSQL) 17.2'\n", { mode: 0o755 });
    await expect(start(newDirectory(), folder)).rejects.toThrow(`${folder}: its initdb belongs to 17.2`);
    await writeFile(join(folder, 'postgres'), '#!/bin/sh\necho ready\n');
    await expect(start(newDirectory(), folder)).rejects.toThrow('--version says "ready\\n"');
  });

  it('are missing for a cluster of another version', async () => {
    const directory = await makeCluster(NPM_PROGRAMS);
    await writeFile(join(directory, 'PG_VERSION'), '13\n');
    await expect(start(directory)).rejects.toThrow(
      `the database in ${directory} was created by PostgreSQL 13, which was not found (found: `,
    );
    await expect(start(directory)).rejects.toThrow('install it again, or set POSTGRES_BIN to the folder');
  });
});
