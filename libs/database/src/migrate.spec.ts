import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;
let folder: URL;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const write = (name: string, sql: string) => writeFile(new URL(name, folder), sql);
const run = () => migrate(database.pool, folder);
const notes = async () =>
  (await database.pool.query('select text from notes order by id')).rows.map(({ text }) => text);

beforeEach(async () => {
  await database.pool.query('drop schema public cascade; create schema public');
  folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'migrations-'))}/`);
  await write('0001_first.sql', 'create table notes (id serial primary key, text text not null);');
  await write('0002_second.sql', "insert into notes (text) values ('from the second');");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('migrate', () => {
  it('runs all of a fresh database in order and says which', async () => {
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await notes()).toEqual(['from the second']);
  });

  it('runs nothing twice, and what was added later', async () => {
    await run();
    expect(await run()).toEqual([]);
    await write('0003_third.sql', "insert into notes (text) values ('from the third');");
    expect(await run()).toEqual(['0003_third.sql']);
    expect(await notes()).toEqual(['from the second', 'from the third']);
  });

  it('runs each once where several processes start at the same time', async () => {
    const pools = [1, 2, 3, 4].map(() => openDatabase(database.url, { max: 1 }));
    const applied = await Promise.all(pools.map(({ pool }) => migrate(pool, folder)));
    await Promise.all(pools.map(({ close }) => close()));
    expect(applied.flat()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await notes()).toEqual(['from the second']);
  });

  it('stops where an applied file was changed, and changes nothing', async () => {
    await run();
    await write('0001_first.sql', 'create table other (id integer);');
    await write('0003_third.sql', "insert into notes (text) values ('from the third');");
    await expect(run()).rejects.toThrow('migrations/0001_first.sql was changed after it was applied');
    expect(await notes()).toEqual(['from the second']);
  });

  it('stops where the database is from a newer version', async () => {
    await run();
    await rm(new URL('0002_second.sql', folder));
    await expect(run()).rejects.toThrow('migrated by a newer version (0002_second.sql)');
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    await write('0003_third.sql', "insert into notes (text) values ('lost'); select no_such_function();");
    await expect(run()).rejects.toThrow(MigrationError);
    expect(await notes()).toEqual(['from the second']);
    await write('0003_third.sql', "insert into notes (text) values ('mended');");
    expect(await run()).toEqual(['0003_third.sql']);
  });

  it.each(['0002_again.sql', '0004_too_far.sql', 'unnumbered.sql'])(
    'refuses a file out of place: %s',
    async (name) => {
      await write(name, 'select 1;');
      await expect(run()).rejects.toThrow(/is out of place/);
    },
  );

  it('finds the project’s own migrations', async () => {
    expect(await migrate(database.pool)).toContain('0001_pipeline.sql');
    await cp(new URL('../../../migrations/', import.meta.url), folder, { recursive: true });
    await rm(new URL('0001_first.sql', folder));
    await rm(new URL('0002_second.sql', folder));
    expect(await run()).toEqual([]);
  });
});
