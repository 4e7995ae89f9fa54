import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogueFileError } from '#libs/catalogue';
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
import { FoldingLog } from './testing/folding-log.ts';

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
  it('comes into force with its event, whole: what is missing is no more, what is the same stays as old as it is', async () => {
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
          after: { importId: id, catalogue: 'kev', source: 'list.csv', contentHash, rows: 1 },
        },
        at: T0,
      },
    ]);
  });

  it('of CVE states adds and changes, and never removes; the last one wins, whoever published it', async () => {
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

  it('within the millisecond of the one before comes into force behind it', async () => {
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

  it('is refused with both counts, and nothing has changed', async () => {
    await run('epss', list(20));
    const before = log.announced.length;
    // A CVE that comes twice is one.
    const twice = [...list(17), ...list(17)];
    await expect(run('epss', twice)).rejects.toThrow(
      'the list has 17 CVEs, and the one in force 20: with less than 90 % of them it may be cut off',
    );
    expect([log.announced.length, await count('catalogue_staged'), await count('catalogue_imports')]).toEqual(
      [before, 0, 1],
    );
    expect(await run('epss', list(18))).toMatchObject({ removed: 2 });
  });

  it('is imported where that is asked for, and parts of CVE states are always', async () => {
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
    expect(await bringIntoForce(database.db, id, T0 + n)).toBe(true);
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

  it('in the middle of a file leaves what is in force, and nothing else', async () => {
    await run('epss', epss({ 1: 0.1 }));
    log.now += 1_000;
    await expect(broken(many(), 6_000, new CatalogueFileError('f', 'line 9', 'is cut off'))).rejects.toThrow(
      'f, line 9: is cut off',
    );
    expect([await count('catalogue_staged'), await count('catalogue_imports')]).toEqual([0, 1]);
    expect([log.announced.length, await count('catalogue_rows')]).toEqual([1, 1]);
    expect(await forecasts(log.now, 1)).toMatchObject([{ probability: 0.1 }]);
  });

  it('goes on where it was killed: what is staged is read again and not written again', async () => {
    await expect(broken(many(), 6_000)).rejects.toThrow('killed');
    expect(await count('catalogue_staged')).toBe(5_000);
    const [status] = (await catalogueStatus(database.db)).filter(({ catalogue }) => catalogue === 'epss');
    expect(status).toMatchObject({ rows: 0, lastImport: null, unfinished: [{ stagedRows: 5_000 }] });
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
  ])('begins anew where the source holds %s by now', async (_, rows) => {
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

  it('between event and coming into force is finished by whoever looks, once, from its event on', async () => {
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

  it('is refused while another one is at work, which is named', async () => {
    await withImportLock(database.db, 'epss', async () => {
      await expect(run('epss', epss({ 1: 0.1 }))).rejects.toThrow(/another import of the epss catalogue/);
      await run('kev', [{ cve: cve(1), value: { dateAdded: '2026-01-01' } }]);
    });
    await run('epss', epss({ 1: 0.1 }), {
      read: async function* () {
        yield* epss({ 1: 0.1 });
        await expect(run('epss', epss({ 2: 0.1 }))).rejects.toThrow(/of list\.csv, begun at 2026-01-01T00/);
      },
    });
    expect(await count('catalogue_rows')).toBe(2);
  });
});

describe('assets to be scored again', () => {
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

  it('are exactly those that name a CVE of which something else is known, since the import', async () => {
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
    // Those that still wait are to be scored from the earlier instant on.
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

  it('include those whose finding named the CVE at the import and no more when it comes into force', async () => {
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

  it('include those of findings that came while a scorer was at work by the rows before, which it holds up', async () => {
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

  it('are marked piece by piece, by several at once, and by the next one where one ends in between', async () => {
    const hosts = Array.from({ length: 12 }, (_, n) => `host${n}`);
    for (const [n, host] of hosts.entries()) await log.fold(...finding(n + 1, host, 1, 2));
    const id = '00000000-0000-4000-8000-000000000001';
    await database.pool.query(
      `insert into catalogue_imports (id, catalogue, source, started_at, content_hash)
       values ('${id}', 'epss', 'list.csv', now(), 'f0');
       insert into catalogue_staged values ('${id}', '${cve(1)}', '{"probability": 0.5, "date": "2026-01-01"}')`,
    );
    const since = T0 + 1_000;
    expect(await bringIntoForce(database.db, id, since)).toBe(true);
    expect(await rescored()).toEqual([]);
    expect(await markRescorings(database.db, id, 5)).toBe(true);
    expect(await rescored()).toHaveLength(5);
    // Scored meanwhile: not marked anew.
    await database.pool.query('truncate rescorings');
    log.now = since + 1;
    await log.fold(...finding(50, hosts[11]!, 3), ...finding(51, 'behind', 1));
    expect(await Promise.all([1, 2].map(() => markRescorings(database.db, id, 3)))).toEqual([true, true]);
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
    expect((await rescored()).map(([name]) => name)).toEqual(['behind', ...hosts.slice(5)].sort());
    await database.pool.query('truncate rescorings');
    expect(await markRescorings(database.db, id)).toBe(false);
    expect(await bringPendingIntoForce(database.db)).toEqual([]);
    expect(await rescored()).toEqual([]);
  });
});

describe('any sequence of imports', () => {
  interface Step {
    catalogue: CatalogueKind;
    passed: number;
    /** CVE number → one of two values. */
    rows: Record<number, number>;
  }

  const VALUES: { [C in CatalogueKind]: (choice: number, step: number) => CatalogueValues[C] } = {
    cve: (choice) => ({ state: ['PUBLISHED', 'REJECTED'][choice]! }),
    epss: (choice, step) => ({ probability: [0.1, 0.00046][choice]!, date: `2026-01-0${step + 1}` }),
    kev: (choice) => ({ dateAdded: ['2026-01-01', '2026-01-02'][choice]! }),
  };
  const NUMBERS = [0, 1, 2, 3];

  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.record({
      catalogue: fc.constantFrom<CatalogueKind>('cve', 'epss', 'kev'),
      passed: fc.integer({ min: -1, max: 3 }),
      rows: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), fc.nat(1), { minKeys: 1 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  /** What is known, by catalogue and CVE, from each import on; of the plainest kind. */
  class Model {
    private readonly states: { from: number; catalogue: CatalogueKind; known: Map<number, object> }[] = [];

    import(catalogue: CatalogueKind, at: number, rows: Map<number, object>): void {
      const last = this.states.filter((one) => one.catalogue === catalogue).at(-1);
      const old = last?.known ?? new Map<number, object>();
      const known = new Map(catalogue === 'cve' ? old : []);
      for (const [n, value] of rows) {
        const before = old.get(n) as { probability?: number } | undefined;
        const isSame = before?.probability === (value as { probability?: number }).probability;
        known.set(n, catalogue === 'epss' && before && isSame ? before : value);
      }
      this.states.push({ from: Math.max(at, (last?.from ?? 0) + 1), catalogue, known });
    }

    at(catalogue: CatalogueKind, n: number, at: number): object | undefined {
      return this.states
        .filter((one) => one.catalogue === catalogue && one.from <= at)
        .at(-1)
        ?.known.get(n);
    }
  }

  it('is remembered: what was known of a CVE at any instant is what the imports until then say', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await anew();
        const model = new Model();
        for (const [i, { catalogue, passed, rows }] of given.entries()) {
          log.now += passed;
          const values = new Map(
            Object.entries(rows).map(([n, choice]) => [Number(n), VALUES[catalogue](choice, i)]),
          );
          model.import(catalogue, log.now, values);
          await run(
            catalogue,
            [...values].map(([n, value]) => ({ cve: cve(n), value })),
            { mayShrink: true },
          );
        }
        const timeline = await readCatalogues(database.db, NUMBERS.map(cve));
        for (let at = T0 - 10; at < T0 + 40; at += 1) {
          const known = timeline.at(at);
          for (const n of NUMBERS) {
            const state = known.cveStateOf(cve(n));
            expect({
              cve: state && { state },
              epss: known.epssOf(cve(n)),
              kev: known.kevOf(cve(n)),
            }).toEqual({
              cve: model.at('cve', n, at),
              epss: model.at('epss', n, at),
              kev: model.at('kev', n, at),
            });
          }
        }
      }),
      { numRuns: runs(25) },
    );
  }, 240_000);
});
