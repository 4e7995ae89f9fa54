import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { untilLockWait } from '../../../test/support/lock-wait.ts';
import { until } from '../../../test/support/until.ts';
import { openDatabase } from './database.ts';
import { MigrationError, migrate } from './migrate.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

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

  it('runs nothing twice, and runs migrations that were added later', async () => {
    await run();
    expect(await run()).toEqual([]);
    await write('0003_third.sql', "insert into notes (text) values ('from the third');");
    expect(await run()).toEqual(['0003_third.sql']);
    expect(await notes()).toEqual(['from the second', 'from the third']);
  });

  it('runs each once if several processes start at the same time', async () => {
    const pools = [1, 2, 3, 4].map(() => openDatabase(database.url, { max: 1 }));
    const applied = await Promise.all(pools.map(({ pool }) => migrate(pool, folder)));
    await Promise.all(pools.map(({ close }) => close()));
    expect(applied.flat()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await notes()).toEqual(['from the second']);
  });

  it('stops if an applied file was changed, and changes nothing', async () => {
    await run();
    await write('0001_first.sql', 'create table other (id integer);');
    await write('0003_third.sql', "insert into notes (text) values ('from the third');");
    await expect(run()).rejects.toThrow('migrations/0001_first.sql was changed after it was applied');
    expect(await notes()).toEqual(['from the second']);
  });

  it('stops if the database is from a newer version', async () => {
    await run();
    await rm(new URL('0002_second.sql', folder));
    await expect(run()).rejects.toThrow('migrated by a newer version (0002_second.sql)');
  });

  it('rolls back a failed migration, and keeps the earlier ones', async () => {
    await write('0003_third.sql', "insert into notes (text) values ('lost'); select no_such_function();");
    await expect(run()).rejects.toThrow(MigrationError);
    expect(await notes()).toEqual(['from the second']);
    await write('0003_third.sql', "insert into notes (text) values ('mended');");
    expect(await run()).toEqual(['0003_third.sql']);
  });

  describe('while a service runs', () => {
    const NEVER = 0;

    /** Another client's transaction, between two of its statements. */
    async function inTransaction<T>(
      statement: string,
      work: (end: () => Promise<unknown>) => Promise<T>,
    ): Promise<T> {
      const client = await database.pool.connect();
      try {
        await client.query('begin');
        await client.query(statement);
        return await work(() => client.query('commit'));
      } finally {
        await client.query('rollback');
        client.release();
      }
    }

    it('waits for locked tables without blocking other sessions', async () => {
      await run();
      await write('0003_third.sql', 'alter table notes add column more text;');
      await inTransaction('select * from notes', async (end) => {
        const migrating = run();
        // It waits for the reader; who comes after it waits for two seconds at most.
        await untilLockWait('the migration waits', database);
        await database.pool.query("insert into notes (text) values ('from a writer')");
        await end();
        expect(await migrating).toEqual(['0003_third.sql']);
      });
      expect(await notes()).toEqual(['from the second', 'from a writer']);
    });

    it('runs again after a deadlock with a session that locks the same tables in another order', async () => {
      await write('0002_second.sql', 'create table other (id integer);');
      await run();
      await write(
        '0003_third.sql',
        'alter table notes add column more text; alter table other add column more text;',
      );
      const reader = await database.pool.connect();
      try {
        await reader.query('begin; select * from other');
        const migrating = run();
        await untilLockWait('the migration waits', database);
        // It waits for the migration, which waits for it: PostgreSQL ends the one that has waited longer.
        await reader.query('select * from notes');
        await reader.query('commit');
        expect(await migrating).toEqual(['0003_third.sql']);
      } finally {
        reader.release(true);
      }
    });

    it('gives up with a sentence if it stays locked, and changes nothing', async () => {
      await run();
      await write(
        '0003_third.sql',
        'create table other (id integer); alter table notes add column more text;',
      );
      await inTransaction('select * from notes', async () => {
        await expect(migrate(database.pool, folder, { lockWaitMsMax: NEVER })).rejects.toThrow(
          'migrations/0003_third.sql failed: its tables stayed locked: end the long transactions',
        );
      });
      expect(await run()).toEqual(['0003_third.sql']);
    });

    const INDEX = `-- migration: outside a transaction
-- Left by a start that was cut off, it would be invalid.
drop index concurrently if exists notes_by_text;
create index concurrently notes_by_text on notes (text);
`;

    it('builds an index while rows are written, also if several processes start at the same time', async () => {
      await run();
      await write('0003_third.sql', INDEX);
      const pools = [1, 2, 3].map(() => openDatabase(database.url, { max: 1 }));
      await inTransaction("insert into notes (text) values ('being written')", async (end) => {
        const migrating = Promise.all(pools.map(({ pool }) => migrate(pool, folder)));
        await untilLockWait('the index waits for the writer', database);
        await database.pool.query("insert into notes (text) values ('written meanwhile')");
        await end();
        expect((await migrating).flat()).toEqual(['0003_third.sql']);
      });
      await Promise.all(pools.map(({ close }) => close()));
      const { rows } = await database.pool.query(
        "select indisvalid as is_valid from pg_index where indexrelid = 'notes_by_text'::regclass",
      );
      expect(rows).toEqual([{ is_valid: true }]);
    });

    it('reports what it waits for while a snapshot is older than the index', async () => {
      await run();
      await write('0003_third.sql', INDEX);
      const reported: string[] = [];
      const options = { progressIntervalMs: 20, onProgress: (sentence: string) => reported.push(sentence) };
      await inTransaction('set transaction isolation level repeatable read; select 1', async (end) => {
        const migrating = migrate(database.pool, folder, options);
        const other = migrate(database.pool, folder, options);
        await until('the report of both', () =>
          [
            /0003_third\.sql has been running for 0 min; index notes_by_text: waiting for old snapshots.*; waits for session \d+ \(posture\)$/,
            /^waiting for another process that migrates the database, for 0 min$/,
          ].every((expected) => reported.some((sentence) => expected.test(sentence))),
        );
        await end();
        expect((await Promise.all([migrating, other])).flat()).toEqual(['0003_third.sql']);
      });
    });

    it('limits the time of statements that block others, and of no others', async () => {
      await write('0001_first.sql', 'create table notes (id serial primary key, text text not null);');
      const noted = (when: string) =>
        `insert into notes (text) values ('${when} ' || current_setting('statement_timeout'));`;
      await write('0002_second.sql', noted('whole'));
      await write(
        '0003_third.sql',
        `-- migration: outside a transaction
do $$
begin
  ${noted('block that commits')}
  commit;
end $$;
${noted('statement')}
`,
      );
      await run();
      expect(await notes()).toEqual(['whole 1h', 'block that commits 0', 'statement 1h']);
    });

    it('repeats such a migration after an interruption', async () => {
      await run();
      await write('0003_third.sql', `${INDEX}select no_such_function();\n`);
      await expect(run()).rejects.toThrow(MigrationError);
      await write('0003_third.sql', INDEX);
      expect(await run()).toEqual(['0003_third.sql']);
    });

    it('runs a block as one statement, and waits for locks there too without blocking other sessions', async () => {
      await run();
      await write(
        '0003_third.sql',
        `-- migration: outside a transaction
alter table notes add column if not exists more text;
do $$
begin
  for i in 1..2 loop
    update notes set more = 'filled';
    commit;
  end loop;
end $$;
alter table notes alter column more set not null;
`,
      );
      await inTransaction('select * from notes', async (end) => {
        const migrating = run();
        await untilLockWait('the migration waits', database);
        await database.pool.query("insert into notes (text) values ('from a writer')");
        await end();
        expect(await migrating).toEqual(['0003_third.sql']);
      });
      const { rows } = await database.pool.query('select distinct more from notes');
      expect(rows).toEqual([{ more: 'filled' }]);
    });
  });

  it('lets the version before start again if all that is newer only adds', async () => {
    await run();
    await write('0003_third.sql', '-- migration: expands\nalter table notes add column more text;');
    await write('0004_fourth.sql', '-- migration: expands\ncreate table other (id integer);');
    expect(await run()).toEqual(['0003_third.sql', '0004_fourth.sql']);
    await rm(new URL('0004_fourth.sql', folder));
    await rm(new URL('0003_third.sql', folder));
    expect(await run()).toEqual([]);
    await write('0003_third.sql', 'drop table notes;');
    await expect(run()).rejects.toThrow('migrations/0003_third.sql was changed after it was applied');
  });

  it('knows a database of the first release, which noted less', async () => {
    await run();
    await database.pool.query('alter table migrations drop column expands');
    expect(await run()).toEqual([]);
    await write('0003_third.sql', '-- migration: expands\nalter table notes add column more text;');
    expect(await run()).toEqual(['0003_third.sql']);
    const { rows } = await database.pool.query('select number, expands from migrations order by number');
    expect(rows.map(({ expands }) => expands)).toEqual([false, false, true]);
  });

  it('rejects an unknown directive of a file', async () => {
    await write('0003_third.sql', '-- migration: expnads\nselect 1;');
    await expect(run()).rejects.toThrow('migrations/0003_third.sql contains the unknown directive "expnads"');
  });

  it.each(['0002_again.sql', '0004_too_far.sql', 'unnumbered.sql'])(
    'rejects a file out of place: %s',
    async (name) => {
      await write(name, 'select 1;');
      await expect(run()).rejects.toThrow(/is out of place/);
    },
  );

  it('finds the project’s own migrations', async () => {
    expect(await migrate(database.pool)).toContain('0001_pipeline.sql');
    await cp(MIGRATIONS, folder, { recursive: true });
    await rm(new URL('0001_first.sql', folder));
    await rm(new URL('0002_second.sql', folder));
    expect(await run()).toEqual([]);
  });

  it('builds the project’s indexes of existing tables concurrently, unless the tables are small', async () => {
    const small = ['syncs', 'credentials', 'users', 'report_deliveries'];
    // 0026 blocks the audit trail, as docs/guarantees.md says: databases have its hash.
    const blocked = (await blockingIndexes()).filter((table) => !small.includes(table));
    expect(blocked).toEqual(['acts']);
  });
});

/** The tables that migrations since the first release block for an index: those of earlier migrations. */
async function blockingIndexes(): Promise<string[]> {
  const existing = new Set<string>();
  const blocked: string[] = [];
  for (const file of (await readdir(MIGRATIONS)).sort()) {
    const statements = await readFile(new URL(file, MIGRATIONS), 'utf8');
    if (file > '0014') {
      const built = statements.matchAll(/^create (?:unique )?index (?!concurrently)\w+\s+on (\w+)/gm);
      blocked.push(...[...built].map(([, table]) => table!).filter((table) => existing.has(table)));
    }
    for (const [, table] of statements.matchAll(/^create table (\w+)/gm)) existing.add(table!);
  }
  return blocked;
}
