import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogueFileError } from '#libs/catalogue';
import { FoldingLog } from '../../../test/fixtures/catalogue-store/folding-log.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { runs } from '../../../test/support/long-run.ts';
import { entity, instance, observation, signal, T0, upload } from '../../../test/support/scenario.ts';
import { bringIntoForce } from './bring-into-force.ts';
import { catalogueStatus } from './catalogue-status.ts';
import type { CatalogueKind, CatalogueValues } from './catalogue-timeline.ts';
import { type ImportRequest, ImportUnfinishedError, importCatalogue } from './import-catalogue.ts';
import { withImportLock } from './import-lock.ts';
import { markRescorings } from './mark-rescorings.ts';
import { bringPendingIntoForce } from './pending-imports.ts';
import { readCatalogues } from './read-catalogues.ts';
import type { ReadRow } from './staged-imports.ts';
import type { TechniqueValue } from './technique-timeline.ts';

const TABLES = [
  'catalogue_imports',
  'catalogue_staged',
  'catalogue_rows',
  'rescorings',
  'scored_partitions',
  'acts',
  'organization',
  'projection_positions',
  'assets',
  'asset_seen',
  'asset_history',
  'findings',
  'finding_seen',
  'finding_history',
  'upload_progress',
];

let database: TestDatabase;
let log: FoldingLog;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(anew);

async function anew() {
  await database.pool.query(TABLES.map((table) => `delete from ${table}`).join(';'));
  log = new FoldingLog(database);
}

const cve = (n: number) => `CVE-2024-${10_000 + n}`;

const rowsOf = <C extends CatalogueKind>(values: Record<string, CatalogueValues[C]>): ReadRow<C>[] =>
  Object.entries(values).map(([one, value]) => ({ cve: one, value }));

const epss = (values: Record<number, number>, date = '2026-01-01') =>
  rowsOf<'epss'>(
    Object.fromEntries(
      Object.entries(values).map(([n, probability]) => [cve(Number(n)), { probability, date }]),
    ),
  );

async function* reading(rows: ReadRow[]) {
  yield* rows;
}

const run = (catalogue: CatalogueKind, rows: ReadRow[], given: Partial<ImportRequest> = {}) =>
  importCatalogue(
    database.db,
    { catalogue, source: 'list.csv', read: () => reading(rows), ...given },
    log,
    () => log.now,
  );

const count = async (table: string) =>
  (await database.pool.query(`select count(*) from ${table}`)).rows[0].count as number;

const forecasts = async (at: number, ...numbers: number[]) => {
  const known = (await readCatalogues(database.db, numbers.map(cve))).at(at);
  return numbers.map((n) => known.epssOf(cve(n)) ?? null);
};

describe('an import', () => {
  it('comes into force with its event, completely: missing rows end, equal rows keep their time', async () => {
    log.now = T0 + 1;
    const first = await run('epss', epss({ 1: 0.1, 2: 0.2, 3: 0.3 }));
    expect(first).toMatchObject({ added: 3, changed: 0, removed: 0, rows: 3, validFrom: T0 + 1 });
    log.now = T0 + 1_000;
    const second = await run('epss', epss({ 1: 0.1, 2: 0.25, 4: 0.4 }, '2026-01-02'));
    expect(second).toMatchObject({ added: 1, changed: 1, removed: 1, validFrom: T0 + 1_000 });
    expect(await forecasts(T0, 1, 2, 3, 4)).toEqual([null, null, null, null]);
    expect(await forecasts(T0 + 999, 1, 2, 3, 4)).toEqual([
      { probability: 0.1, date: '2026-01-01' },
      { probability: 0.2, date: '2026-01-01' },
      { probability: 0.3, date: '2026-01-01' },
      null,
    ]);
    expect(await forecasts(T0 + 1_000, 1, 2, 3, 4)).toEqual([
      { probability: 0.1, date: '2026-01-01' },
      { probability: 0.25, date: '2026-01-02' },
      null,
      { probability: 0.4, date: '2026-01-02' },
    ]);
    expect(await count('catalogue_staged')).toBe(0);
  });

  it('is an act in the audit trail, with the hash of its content', async () => {
    const { id, contentHash } = await run('kev', [{ cve: cve(1), value: { dateAdded: '2026-01-01' } }]);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    const { rows } = await database.pool.query('select action, target, detail, at from acts');
    expect(rows).toEqual([
      {
        action: 'catalogue.imported',
        target: 'kev',
        detail: {
          before: null,
          after: {
            importId: id,
            catalogue: 'kev',
            source: 'list.csv',
            contentHash,
            rows: 1,
          },
        },
        at: T0,
      },
    ]);
  });

  it('of CVE states adds and changes, and never removes; the last one wins, regardless of its publisher', async () => {
    const states = (values: Record<number, string>) =>
      rowsOf<'cve'>(
        Object.fromEntries(Object.entries(values).map(([n, state]) => [cve(Number(n)), { state }])),
      );
    await run('cve', states({ 1: 'PUBLISHED', 2: 'REJECTED' }), { source: 'cvelistV5' });
    log.now += 1_000;
    const part = await run('cve', states({ 1: 'DISPUTED', 3: 'PUBLISHED' }), {
      source: 'nvdcve-2.0-2024.json',
    });
    expect(part).toMatchObject({ added: 1, changed: 1, removed: 0 });
    const known = (await readCatalogues(database.db, [1, 2, 3].map(cve))).at(log.now);
    expect([1, 2, 3].map((n) => known.cveStateOf(cve(n)))).toEqual(['DISPUTED', 'REJECTED', 'PUBLISHED']);
  });

  it('takes the later row of a CVE that comes twice, also across batches', async () => {
    const rows = [
      ...epss({ 1: 0.1 }),
      ...epss({ 1: 0.2 }),
      ...epss(Object.fromEntries(Array.from({ length: 5_500 }, (_, i) => [i + 2, 0.5]))),
      ...epss({ 2: 0.9 }),
    ];
    expect(await run('epss', rows)).toMatchObject({ rows: 5_503, added: 5_501 });
    expect(await forecasts(T0, 1, 2, 3)).toMatchObject([
      { probability: 0.2 },
      { probability: 0.9 },
      { probability: 0.5 },
    ]);
  });

  it('of the same content again is logged, and changes nothing', async () => {
    const { contentHash } = await run('epss', epss({ 1: 0.1 }));
    log.now += 1;
    expect(await run('epss', epss({ 1: 0.1 }))).toMatchObject({
      contentHash,
      added: 0,
      changed: 0,
      removed: 0,
    });
    expect([await count('acts'), await count('catalogue_rows'), await count('rescorings')]).toEqual([
      2, 1, 0,
    ]);
  });

  it('within the millisecond of the previous one comes into force after it', async () => {
    await run('epss', epss({ 1: 0.1 }));
    expect(await run('epss', epss({ 1: 0.2 }))).toMatchObject({ validFrom: T0 + 1 });
    log.now = T0 - 5_000;
    expect(await run('epss', epss({ 1: 0.3 }))).toMatchObject({ validFrom: T0 + 2 });
    for (const [at, probability] of [
      [T0, 0.1],
      [T0 + 1, 0.2],
      [T0 + 2, 0.3],
    ] as const) {
      expect(await forecasts(at, 1)).toMatchObject([{ probability }]);
    }
  });
});

describe('a list that is much shorter than the one in force', () => {
  const list = (length: number) => epss(Object.fromEntries(Array.from({ length }, (_, i) => [i, 0.5])));

  it('is rejected with both counts, and nothing has changed', async () => {
    await run('epss', list(20));
    const before = log.announced.length;
    // A CVE that comes twice is one.
    const twice = [...list(17), ...list(17)];
    await expect(run('epss', twice)).rejects.toThrow(
      'the list has 17 CVEs, and the one in force 20: a list with less than 90 % of them may be truncated',
    );
    expect([log.announced.length, await count('catalogue_staged'), await count('catalogue_imports')]).toEqual(
      [before, 0, 1],
    );
    expect(await run('epss', list(18))).toMatchObject({ removed: 2 });
  });

  it('is imported with force, and parts of CVE states are always imported', async () => {
    await run('epss', list(20));
    log.now += 1;
    expect(await run('epss', list(1), { mayShrink: true })).toMatchObject({ removed: 19 });
    const states = (length: number) =>
      rowsOf<'cve'>(Object.fromEntries(Array.from({ length }, (_, n) => [cve(n), { state: 'PUBLISHED' }])));
    await run('cve', states(20));
    expect(await run('cve', states(1))).toMatchObject({ removed: 0 });
  });
});

it('more CVEs than one statement takes come into force and change together', async () => {
  const MANY = 50_001;
  for (const [n, probability] of [0.1, 0.2].entries()) {
    const id = `00000000-0000-4000-8000-00000000000${n}`;
    await database.pool.query(
      `insert into catalogue_imports (id, catalogue, source, started_at, content_hash)
       values ('${id}', 'epss', 'list.csv', now(), 'f0');
       insert into catalogue_staged
       select '${id}', 'CVE-2024-' || n, '{"probability": ${probability}, "date": "2026-01-01"}'
       from generate_series(10000, ${10_000 + MANY - 1}) n`,
    );
    expect(await bringIntoForce(database.db, id, { at: T0 + n })).toBe(true);
  }
  const { rows } = await database.pool.query(
    `select valid_from, valid_to, value -> 'probability' as probability, count(*) from catalogue_rows
     group by 1, 2, 3 order by 1`,
  );
  expect(rows).toEqual([
    { valid_from: T0, valid_to: T0 + 1, probability: 0.1, count: MANY },
    { valid_from: T0 + 1, valid_to: Number.POSITIVE_INFINITY, probability: 0.2, count: MANY },
  ]);
});

describe('an import that fails', () => {
  const many = (probability = 0.5) =>
    epss(Object.fromEntries(Array.from({ length: 7_000 }, (_, i) => [i, probability])));

  /** Rows up to a point, then an error. */
  async function* breaking(rows: ReadRow[], at: number, error: Error) {
    yield* rows.slice(0, at);
    throw error;
  }

  const broken = (rows: ReadRow[], at: number, error = new Error('killed')) =>
    run('epss', rows, { read: () => breaking(rows, at, error) });

  const places = async () => {
    const { rows } = await database.pool.query(
      'select ctid::text from catalogue_staged order by cve limit 5000',
    );
    return rows.map(({ ctid }) => ctid);
  };

  it('in the middle of a file keeps the catalogue in force, and nothing else', async () => {
    await run('epss', epss({ 1: 0.1 }));
    log.now += 1_000;
    await expect(broken(many(), 6_000, new CatalogueFileError('f', 'line 9', 'is cut off'))).rejects.toThrow(
      'f, line 9: is cut off',
    );
    expect([await count('catalogue_staged'), await count('catalogue_imports')]).toEqual([0, 1]);
    expect([log.announced.length, await count('catalogue_rows')]).toEqual([1, 1]);
    expect(await forecasts(log.now, 1)).toMatchObject([{ probability: 0.1 }]);
  });

  it('resumes after a kill: staged rows are read again and not written again', async () => {
    await expect(broken(many(), 6_000)).rejects.toThrow('killed');
    expect(await count('catalogue_staged')).toBe(5_000);
    const [status] = (await catalogueStatus(database.db)).filter(({ catalogue }) => catalogue === 'epss');
    expect(status).toMatchObject({
      rows: 0,
      lastImport: null,
      unfinished: [{ stagedRows: 5_000, validFrom: null }],
    });
    const staged = await places();
    let seen: string[] = [];
    const resumed = await run('epss', many(), {
      read: async function* () {
        yield* many();
        seen = await places();
      },
    });
    expect(seen).toEqual(staged);
    expect(resumed).toMatchObject({ id: status!.unfinished[0]!.id, rows: 7_000, added: 7_000 });
    await anew();
    const whole = await run('epss', many());
    expect(whole.contentHash).toBe(resumed.contentHash);
  });

  it.each([
    ['other rows', () => many(0.25)],
    ['fewer rows', () => many(0.5).slice(0, 4_000)],
  ])('starts again if the source now contains %s', async (_, rows) => {
    await expect(broken(many(), 6_000)).rejects.toThrow('killed');
    const [{ id }] = (await database.pool.query('select id from catalogue_imports')).rows;
    const done = await run('epss', rows());
    expect(done.id).not.toBe(id);
    expect(done.added).toBe(rows().length);
    expect(await forecasts(T0, 1)).toEqual([rows()[1]!.value]);
    expect([await count('catalogue_imports'), await count('catalogue_staged')]).toEqual([1, 0]);
  });

  it('is given up for an import of another source', async () => {
    await expect(broken(many(), 6_000)).rejects.toThrow('killed');
    await run('epss', epss({ 1: 0.1 }), { source: 'other.csv' });
    expect([await count('catalogue_imports'), await count('catalogue_staged')]).toEqual([1, 0]);
  });

  it('interrupted between event and activation is finished once by the next process, from the time of its event', async () => {
    const announce = log.announce.bind(log);
    log.announce = async (imported) => {
      await announce(imported);
      throw new Error('killed');
    };
    log.now = T0 + 7;
    await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow('killed');
    expect(await forecasts(T0 + 7, 1)).toEqual([null]);
    const done = await Promise.all([1, 2, 3].map(() => bringPendingIntoForce(database.db)));
    expect(done.flat()).toEqual([log.announced[0]!.importId]);
    expect(await forecasts(T0 + 7, 1)).toMatchObject([{ probability: 0.1 }]);
    expect(await forecasts(T0 + 6, 1)).toEqual([null]);
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
  });

  it('with its event on the way to the fold is not imported twice by the next one', async () => {
    const announce = log.announce.bind(log);
    let late: (() => Promise<void>) | undefined;
    log.announce = async (imported) => {
      late = () => announce(imported);
      throw new Error('killed');
    };
    await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow('killed');
    log.announce = announce;
    log.settled = () => late!();
    log.now += 10;
    const again = await run('epss', epss({ 1: 0.1 }));
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0 });
    expect(log.announced.map(({ importId }) => importId)).toEqual([expect.any(String), again.id]);
    expect(await count('acts')).toBe(2);
  });

  it('once its event is in the log says so, and is finished by the next one', async () => {
    const announce = log.announce.bind(log);
    log.announce = async (imported) => {
      await announce(imported);
      await database.pool.query('alter table catalogue_rows rename to catalogue_rows_away');
    };
    await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow(ImportUnfinishedError);
    await database.pool.query('alter table catalogue_rows_away rename to catalogue_rows');
    expect(await bringPendingIntoForce(database.db)).toEqual([log.announced[0]!.importId]);
    expect(await forecasts(T0, 1)).toMatchObject([{ probability: 0.1 }]);
  });

  it('is rejected while another one is at work, which is named', async () => {
    await withImportLock(database.db, 'epss', async () => {
      await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow(/another import of the epss catalogue/);
      await run('kev', [{ cve: cve(1), value: { dateAdded: '2026-01-01' } }]);
    });
    await run('epss', epss({ 1: 0.1 }), {
      read: async function* () {
        yield* epss({ 1: 0.1 });
        await expect(run('epss', epss({ 2: 0.1 }))).rejects.toThrow(/of list\.csv, started at 2026-01-01T00/);
      },
    });
    expect(await count('catalogue_rows')).toBe(2);
  });
});

describe('assets to be scored again', () => {
  const NO_TECHNIQUE = { revoked: false, deprecated: false, revokedBy: null, mitigations: [] };
  const finding = (n: number, host: string, ...numbers: number[]) =>
    upload(
      n,
      log.now,
      [
        signal('weak', 'fail', {
          entity: entity({ name: host }),
          observations: [observation('va', [instance('fail', { cves: numbers.map(cve) })])],
        }),
      ],
      { entityKey: `machine:${host}` },
    );

  async function rescored() {
    const { rows } = await database.pool.query(
      `select a.name, r.since, r.partition from rescorings r join assets a using (asset_no, partition) order by 1`,
    );
    return rows.map(({ name, since }) => [name, since]);
  }

  it('are exactly the assets with a CVE whose data has changed since the import', async () => {
    await log.fold(...finding(1, 'both', 1, 3), ...finding(2, 'same', 2), ...finding(3, 'gone', 4));
    await log.fold(...finding(4, 'none'), ...finding(5, 'unknown', 9), ...finding(6, 'new', 5));
    log.now = T0 + 1_000;
    await run('epss', epss({ 1: 0.1, 2: 0.2, 4: 0.4 }));
    expect(await rescored()).toEqual([
      ['both', T0 + 1_000],
      ['gone', T0 + 1_000],
      ['same', T0 + 1_000],
    ]);
    log.now = T0 + 2_000;
    await run('epss', epss({ 1: 0.15, 2: 0.2, 5: 0.5 }));
    // Waiting assets must be scored from the earlier instant.
    expect(await rescored()).toEqual([
      ['both', T0 + 1_000],
      ['gone', T0 + 1_000],
      ['new', T0 + 2_000],
      ['same', T0 + 1_000],
    ]);
    await database.pool.query('truncate rescorings');
    log.now = T0 + 3_000;
    await run('epss', epss({ 1: 0.15, 2: 0.25 }), { mayShrink: true });
    expect(await rescored()).toEqual([
      ['new', T0 + 3_000],
      ['same', T0 + 3_000],
    ]);
  });

  it('include all assets after a change of ATT&CK, and assets that name the CVE after a change of its mapping', async () => {
    await log.fold(...finding(1, 'one', 1), ...finding(2, 'none'));
    const techniques = ['T1190'];
    await run('ctid', [{ cve: cve(1), value: { techniques } }]);
    expect(await rescored()).toEqual([['one', T0]]);
    const value = { ...NO_TECHNIQUE, name: 'A technique', tactics: ['impact'] };
    await run('attack', [{ cve: 'T1486', value }], { effectiveFrom: T0 - 1_000 });
    expect(await rescored()).toEqual([
      ['none', T0 - 1_000],
      ['one', T0 - 1_000],
    ]);
    await database.pool.query('truncate rescorings');
    log.now += 1;
    await run('attack', [{ cve: 'T1486', value }]);
    expect(await rescored()).toEqual([]);
  });

  it('include assets whose finding named the CVE at the import but no longer when it takes effect', async () => {
    await log.fold(...finding(1, 'was', 1), ...finding(2, 'other', 2), ...finding(3, 'never', 3));
    const announce = log.announce.bind(log);
    log.now = T0 + 1_000;
    log.announce = async (imported) => {
      await announce(imported);
      log.now = T0 + 2_000;
      await log.fold(...finding(4, 'was', 7), ...finding(5, 'never', 8));
    };
    await run('epss', epss({ 1: 0.1 }));
    expect(await rescored()).toEqual([['was', T0 + 1_000]]);
  });

  it('include assets with findings that arrived while a scorer used the previous rows', async () => {
    await log.fold(...finding(1, 'first', 1));
    await run('epss', epss({ 1: 0.1 }));
    await database.pool.query('truncate rescorings');
    await log.fold(...finding(2, 'second', 2));
    const scorer = await database.pool.connect();
    try {
      await scorer.query('begin isolation level repeatable read; select from scored_partitions for update');
      log.now += 1_000;
      await run('epss', epss({ 1: 0.2, 2: 0.2 }));
      await scorer.query('delete from rescorings');
      await scorer.query('commit');
    } finally {
      scorer.release(true);
    }
    expect(await rescored()).toEqual([
      ['first', T0 + 1_000],
      ['second', T0 + 1_000],
    ]);
  });

  it('are marked in parts, by several processes in parallel, and by the next one if a process ends', async () => {
    const hosts = Array.from({ length: 12 }, (_, n) => `host${n}`);
    for (const [n, host] of hosts.entries()) await log.fold(...finding(n + 1, host, 1, 2));
    const id = '00000000-0000-4000-8000-000000000001';
    await database.pool.query(
      `insert into catalogue_imports (id, catalogue, source, started_at, content_hash)
       values ('${id}', 'epss', 'list.csv', now(), 'f0');
       insert into catalogue_staged values ('${id}', '${cve(1)}', '{"probability": 0.5, "date": "2026-01-01"}')`,
    );
    const since = T0 + 1_000;
    expect(await bringIntoForce(database.db, id, { at: since })).toBe(true);
    expect(await rescored()).toEqual([]);
    expect(await markRescorings(database.db, id, 5)).toBe(true);
    expect(await rescored()).toHaveLength(5);
    // Already scored: not marked again.
    await database.pool.query('truncate rescorings');
    log.now = since + 1;
    await log.fold(...finding(50, hosts[11]!, 3), ...finding(51, 'behind', 1));
    expect(await Promise.all([1, 2].map(() => markRescorings(database.db, id, 3)))).toEqual([true, true]);
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
    expect((await rescored()).map(([name]) => name)).toEqual(['behind', ...hosts.slice(5)].sort());
    await database.pool.query('truncate rescorings');
    expect(await markRescorings(database.db, id, 5)).toBe(false);
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
    expect(await rescored()).toEqual([]);
  });
});

describe('an import that stays unfinished', () => {
  /** Runs some work while each statement that marks assets fails, if a condition of SQL on its rows `marked` is true. */
  async function whileMarkingFails(
    condition: string,
    code: string,
    work: () => Promise<void>,
  ): Promise<void> {
    await database.pool.query(`
      create function fail_marking() returns trigger language plpgsql as $$ begin
        if (${condition}) then raise exception 'no mark' using errcode = '${code}'; end if;
        return null;
      end $$;
      create trigger fails after insert on rescorings referencing new table as marked
        for each statement execute function fail_marking()`);
    try {
      await work();
    } finally {
      await database.pool.query('drop trigger fails on rescorings; drop function fail_marking');
    }
  }

  const hosts = Array.from({ length: 12 }, (_, n) => `host${n}`);
  const foldHosts = () =>
    log.fold(
      ...hosts.flatMap((name, n) => {
        const observations = [observation('va', [instance('fail', { cves: [cve(n)] })])];
        const weak = signal('weak', 'fail', { entity: entity({ name }), observations });
        return upload(n + 1, T0, [weak], { entityKey: `machine:${name}` });
      }),
    );
  const marked = async () =>
    (
      await database.pool.query(
        'select name from rescorings join assets using (asset_no, partition) order by asset_no',
      )
    ).rows.map(({ name }) => name);
  const kev = (n: number) => rowsOf<'kev'>({ [cve(n)]: { dateAdded: '2026-01-01' } });
  const unfinished = async (wanted: CatalogueKind) =>
    (await catalogueStatus(database.db)).find(({ catalogue }) => catalogue === wanted)!.unfinished;

  it('stops no import of another catalogue, which is marked also if it is pending', async () => {
    await foldHosts();
    const isFirst = `exists (select from marked join assets using (asset_no) where name = 'host0')`;
    await whileMarkingFails(isFirst, 'P0001', async () => {
      await expect(run('kev', kev(0))).rejects.toThrow(ImportUnfinishedError);
      expect(await unfinished('kev')).toMatchObject([{ validFrom: T0 }]);
      await run('epss', epss({ 1: 0.1 }));
      expect(await marked()).toEqual(['host1']);
      const announce = log.announce.bind(log);
      log.announce = async (imported) => {
        await announce(imported);
        throw new Error('killed');
      };
      await expect(run('ctid', rowsOf<'ctid'>({ [cve(2)]: { techniques: ['T1190'] } }))).rejects.toThrow(
        'killed',
      );
      await expect(bringPendingIntoForce(database.db)).rejects.toThrow('no mark');
      expect(await marked()).toEqual(['host1', 'host2']);
    });
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
    expect(await marked()).toEqual(['host0', 'host1', 'host2']);
    expect(await unfinished('kev')).toEqual([]);
  });

  it('is followed by no later import of the same catalogue before it is in force', async () => {
    const announce = log.announce.bind(log);
    log.announce = async (imported) => {
      await announce(imported);
      await database.pool.query('alter table catalogue_rows rename to catalogue_rows_away');
    };
    await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow(ImportUnfinishedError);
    log.now += 1_000;
    await expect(run('epss', epss({ 1: 0.2 }))).rejects.toThrow(/catalogue_rows/);
    await database.pool.query('alter table catalogue_rows_away rename to catalogue_rows');
    log.announce = announce;
    await run('epss', epss({ 1: 0.2 }));
    expect(await forecasts(T0, 1)).toMatchObject([{ probability: 0.1 }]);
    expect(await forecasts(T0 + 1_000, 1)).toMatchObject([{ probability: 0.2 }]);
  });

  it('marks fewer assets at a time if a statement takes too long', async () => {
    await foldHosts();
    await whileMarkingFails('(select count(*) from marked) > 2', '57014', async () => {
      await run('epss', epss(Object.fromEntries(hosts.map((_, n) => [n, 0.5]))));
    });
    expect(await marked()).toEqual(hosts);
  });
});

describe('an import with an earlier effective instant', () => {
  const DAY = 86_400_000;
  const kev = (...numbers: number[]) =>
    rowsOf<'kev'>(Object.fromEntries(numbers.map((n) => [cve(n), { dateAdded: '2025-01-01' }])));
  const listed = async (at: number) => {
    const known = (await readCatalogues(database.db, [1, 2, 3].map(cve))).at(at);
    return [1, 2, 3].filter((n) => known.kevOf(cve(n)) !== undefined);
  };

  it('counts from there until the next import, which stays in force', async () => {
    await run('kev', kev(1, 2));
    log.now = T0 + DAY;
    const past = await run('kev', kev(3), { effectiveFrom: T0 - 10 * DAY });
    expect(past).toMatchObject({
      validFrom: T0 - 10 * DAY,
      nextFrom: T0,
      added: 1,
      changed: 0,
      removed: 0,
    });
    expect(log.announced.at(-1)).toMatchObject({ effectiveFrom: T0 - 10 * DAY });
    const between = await run('kev', kev(1), { effectiveFrom: T0 - 5 * DAY, mayShrink: true });
    expect(between).toMatchObject({ validFrom: T0 - 5 * DAY, added: 1, removed: 1 });
    expect(await listed(T0 - 11 * DAY)).toEqual([]);
    expect(await listed(T0 - 10 * DAY)).toEqual([3]);
    expect(await listed(T0 - 5 * DAY)).toEqual([1]);
    expect(await listed(T0)).toEqual([1, 2]);
    expect(await listed(T0 + DAY)).toEqual([1, 2]);
  });

  it('is in the audit trail with its instant', async () => {
    await run('kev', kev(1), { effectiveFrom: T0 - DAY });
    const { rows } = await database.pool.query(
      "select detail -> 'after' ->> 'effectiveFrom' as since from acts",
    );
    expect(rows).toEqual([{ since: '2025-12-31T00:00:00.000Z' }]);
  });

  it('counts from the first free millisecond if another import begins at the instant', async () => {
    const effectiveFrom = T0 - DAY;
    expect(await run('kev', kev(1), { effectiveFrom })).toMatchObject({ validFrom: effectiveFrom });
    expect(await run('kev', kev(2), { effectiveFrom })).toMatchObject({ validFrom: effectiveFrom + 1 });
    expect(await listed(effectiveFrom)).toEqual([1]);
    expect(await listed(T0)).toEqual([2]);
  });

  it('of CVE states counts until the next change of each CVE', async () => {
    const states = (values: Record<number, string>) =>
      rowsOf<'cve'>(
        Object.fromEntries(Object.entries(values).map(([n, state]) => [cve(Number(n)), { state }])),
      );
    await run('cve', states({ 1: 'PUBLISHED' }));
    log.now = T0 + DAY;
    const past = await run('cve', states({ 1: 'REJECTED', 2: 'REJECTED' }), { effectiveFrom: T0 - DAY });
    expect(past).toMatchObject({ validFrom: T0 - DAY, nextFrom: null });
    const timeline = await readCatalogues(database.db, [1, 2].map(cve));
    const known = (at: number) => [1, 2].map((n) => timeline.at(at).cveStateOf(cve(n)));
    expect(known(T0 - DAY)).toEqual(['REJECTED', 'REJECTED']);
    expect(known(T0)).toEqual(['PUBLISHED', 'REJECTED']);
  });

  it('is not later than its event', async () => {
    expect(await run('kev', kev(1), { effectiveFrom: T0 + DAY })).toMatchObject({ validFrom: T0 });
  });

  it('is compared with the list of its instant', async () => {
    await run('kev', kev(1, 2, 3));
    await run('kev', kev(1, 2), { effectiveFrom: T0 - 2 * DAY });
    await expect(run('kev', kev(1), { effectiveFrom: T0 - DAY })).rejects.toThrow(
      'the list has 1 CVEs, and the one in force 2',
    );
  });
});

describe('ATT&CK', () => {
  const technique = (value: Partial<TechniqueValue> = {}): TechniqueValue => ({
    name: 'A technique',
    tactics: ['execution'],
    revoked: false,
    deprecated: false,
    revokedBy: null,
    mitigations: [],
    ...value,
  });
  const attack = (values: Record<string, Partial<TechniqueValue>>) =>
    Object.entries(values).map(([id, value]) => ({ cve: id, value: technique(value) }));
  const at = async (instant: number, ...cves: string[]) =>
    (await readCatalogues(database.db, cves)).at(instant);

  it('is that of the service before an import, and of techniques that are not in one', async () => {
    const shipped = (await at(T0)).techniqueOf('T1059');
    expect(shipped).toMatchObject({ revoked: false });
    await run('attack', attack({ T1486: { tactics: ['impact'] } }));
    expect((await at(T0)).techniqueOf('T1059')).toEqual(shipped);
    expect((await at(T0)).techniqueOf('T9999')).toBeUndefined();
  });

  it('is that of the instant: techniques, tactics and revocations', async () => {
    await run('attack', attack({ T1059: { tactics: ['impact'] }, T9001: {} }));
    log.now = T0 + 1_000;
    await run('attack', attack({ T1059: { revoked: true } }));
    expect((await at(T0 - 1)).techniqueOf('T9001')).toBeUndefined();
    expect((await at(T0)).techniqueOf('T1059')).toMatchObject({ tactics: ['impact'], revoked: false });
    expect((await at(T0 + 1_000)).techniqueOf('T1059')).toMatchObject({ revoked: true });
    expect((await at(T0 + 1_000)).techniqueOf('T9001')).toMatchObject({ revoked: false });
    const timeline = await readCatalogues(database.db, []);
    expect(timeline.techniqueInstants()).toEqual([T0, T0 + 1_000]);
  });

  it('keeps the lookups of techniques the same object until they change, so that scores are computed once', async () => {
    await run('attack', attack({ T1059: {} }));
    const timeline = await readCatalogues(database.db, []);
    expect(timeline.at(T0).techniqueOf).toBe(timeline.at(T0 + 5).techniqueOf);
    expect(timeline.at(T0).mitigationsOf).not.toBe(timeline.at(T0 - 1).mitigationsOf);
    expect((await readCatalogues(database.db, [])).at(T0).techniqueOf).toBe(timeline.at(T0).techniqueOf);
  });

  it('has mitigations, except those of more than 20 techniques that are neither revoked nor deprecated', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [
        `T90${10 + n}`,
        { mitigations: n < 20 ? ['M1001', 'M1002'] : ['M1001'] },
      ]),
    );
    const former = {
      T9100: { revoked: true, mitigations: ['M1002'] },
      T9101: { deprecated: true, mitigations: ['M1002'] },
    };
    await run('attack', attack({ ...many, ...former }));
    const known = await at(T0);
    expect(known.mitigationsOf!('T9010')).toEqual(['M1002']);
    expect(known.mitigationsOf!('T9030')).toEqual([]);
    expect(known.mitigationsOf!('T1059')).toEqual([]);
  });

  it('replaces revoked techniques of a mapping of CVEs, also if they replace each other', async () => {
    await run('ctid', [
      { cve: cve(1), value: { techniques: ['T9001', 'T9003', 'T9008'] } },
      { cve: cve(2), value: { techniques: ['T9006'] } },
    ]);
    await run(
      'attack',
      attack({
        T9001: { revoked: true, revokedBy: 'T9002' },
        T9002: { revoked: true, revokedBy: 'T9003' },
        T9003: {},
        T9006: { revoked: true, revokedBy: 'T9007' },
        T9007: { revoked: true, revokedBy: 'T9006' },
      }),
    );
    const known = await at(T0, cve(1), cve(2), cve(3));
    expect(known.techniquesOfCve!(cve(1))).toEqual(['T9003', 'T9008']);
    expect(known.techniquesOfCve!(cve(2))).toHaveLength(1);
    expect(known.techniquesOfCve!(cve(3))).toEqual([]);
  });
});

describe('the instants of a CVE', () => {
  it('are those of its mapping, its ransomware flag and its due date', async () => {
    const kev = (value: object) => [{ cve: cve(1), value: { dateAdded: '2025-01-01', ...value } }];
    const changes: [CatalogueKind, ReadRow[]][] = [
      ['kev', kev({ isUsedByRansomware: false })],
      ['kev', kev({ isUsedByRansomware: true })],
      ['kev', kev({ isUsedByRansomware: true, dueDate: '2025-02-01' })],
      ['ctid', [{ cve: cve(1), value: { techniques: ['T1190'] } }]],
      ['ctid', [{ cve: cve(1), value: { techniques: ['T1068', 'T1190'] } }]],
    ];
    for (const [i, [catalogue, rows]] of changes.entries()) {
      log.now = T0 + i * 1_000;
      expect(await run(catalogue, rows)).toMatchObject({ added: i === 0 || i === 3 ? 1 : 0 });
    }
    const timeline = await readCatalogues(database.db, [cve(1)]);
    expect(timeline.instants(cve(1))).toEqual(
      expect.arrayContaining([0, 1_000, 2_000, 3_000, 4_000].map((passed) => T0 + passed)),
    );
    expect(timeline.at(T0 + 2_000).kevOf(cve(1))).toEqual({
      dateAdded: '2025-01-01',
      isUsedByRansomware: true,
      dueDate: '2025-02-01',
    });
  });
});

describe('any sequence of imports', () => {
  interface Step {
    catalogue: CatalogueKind;
    passed: number;
    /** Milliseconds before the event; null: none. */
    effective: number | null;
    /** Number → one of two values. */
    rows: Record<number, number>;
  }

  const VALUES: { [C in CatalogueKind]: (choice: number, step: number) => CatalogueValues[C] } = {
    attack: (choice) => ({
      name: 'A technique',
      tactics: [],
      revoked: choice === 1,
      deprecated: false,
      revokedBy: null,
      mitigations: [],
    }),
    ctid: (choice) => ({ techniques: [['T1190'], ['T1068']][choice]! }),
    cve: (choice) => ({ state: ['PUBLISHED', 'REJECTED'][choice]! }),
    epss: (choice, step) => ({ probability: [0.1, 0.00046][choice]!, date: `2026-01-0${step + 1}` }),
    kev: (choice) => ({ dateAdded: '2026-01-01', isUsedByRansomware: choice === 1 }),
  };
  const KINDS = ['attack', 'ctid', 'cve', 'epss', 'kev'] as const;
  const NUMBERS = [0, 1, 2, 3];
  const keyOf = (catalogue: CatalogueKind, n: number) => (catalogue === 'attack' ? `T900${n}` : cve(n));

  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.record({
      catalogue: fc.constantFrom(...KINDS),
      passed: fc.integer({ min: -1, max: 3 }),
      effective: fc.option(fc.integer({ min: -1, max: 8 })),
      rows: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), fc.nat(1), { minKeys: 1 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  /** A simple model: what each import states, in the order of the instants from which on it counts. */
  class Model {
    private readonly statements: {
      from: number;
      catalogue: CatalogueKind;
      known: Map<number, object | null>;
    }[] = [];
    private readonly taken = new Set<string>();

    import({ catalogue, effective }: Step, now: number, rows: Map<number, object>): void {
      const from = this.freeInstant(catalogue, now, effective);
      this.taken.add(`${catalogue} ${from}`);
      const known = new Map<number, object | null>();
      const isPartial = catalogue === 'attack' || catalogue === 'cve';
      for (const n of NUMBERS) {
        const before = this.at(catalogue, n, from) ?? null;
        const value = rows.get(n) ?? null;
        const isSame = decisive(before) === decisive(value);
        if (!isPartial || (value && !isSame)) known.set(n, isSame ? before : value);
      }
      this.statements.push({ from, catalogue, known });
      this.statements.sort((a, b) => a.from - b.from);
    }

    at(catalogue: CatalogueKind, n: number, at: number): object | undefined {
      const stating = this.statements.filter(
        (one) => one.catalogue === catalogue && one.from <= at && one.known.has(n),
      );
      return stating.at(-1)?.known.get(n) ?? undefined;
    }

    private freeInstant(catalogue: CatalogueKind, now: number, effective: number | null): number {
      if (effective === null) {
        const others = this.statements.filter((one) => one.catalogue === catalogue);
        return Math.max(now, (others.at(-1)?.from ?? 0) + 1);
      }
      let from = Math.min(now - effective, now);
      while (this.taken.has(`${catalogue} ${from}`)) from += 1;
      return from;
    }
  }

  const decisive = (value: object | null) => JSON.stringify({ ...value, date: undefined });

  it('is kept: the data at any instant is that of the imports that count until then', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await anew();
        const model = new Model();
        for (const [i, step] of given.entries()) {
          log.now += step.passed;
          const { catalogue, effective } = step;
          const values = new Map(
            Object.entries(step.rows).map(([n, choice]) => [Number(n), VALUES[catalogue](choice, i)]),
          );
          model.import(step, log.now, values);
          await run(
            catalogue,
            [...values].map(([n, value]) => ({ cve: keyOf(catalogue, n), value })),
            { mayShrink: true, effectiveFrom: effective === null ? null : log.now - effective },
          );
        }
        const timeline = await readCatalogues(database.db, NUMBERS.map(cve));
        for (let at = T0 - 20; at < T0 + 40; at += 1) {
          const known = timeline.at(at);
          for (const n of NUMBERS) {
            const state = known.cveStateOf(cve(n));
            const techniques = known.techniquesOfCve!(cve(n));
            expect({
              attack: known.techniqueOf(keyOf('attack', n)),
              ctid: techniques.length > 0 ? { techniques } : undefined,
              cve: state && { state },
              epss: known.epssOf(cve(n)),
              kev: known.kevOf(cve(n)),
            }).toEqual(Object.fromEntries(KINDS.map((catalogue) => [catalogue, model.at(catalogue, n, at)])));
          }
        }
      }),
      { numRuns: runs(25) },
    );
  }, 240_000);
});
