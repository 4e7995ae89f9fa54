import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CatalogueKind, importCatalogue, type ReadRow, readCatalogues } from '#libs/catalogue-store';
import { FoldingLog } from '../../../test/fixtures/catalogue-store/folding-log.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { runs } from '../../../test/support/long-run.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { removeLaterData } from './remove-later-data.ts';

const TABLES = [
  'catalogue_imports',
  'catalogue_staged',
  'catalogue_rows',
  'rescorings',
  'acts',
  'organization',
  'projection_positions',
];
const CVES = ['CVE-2024-10001', 'CVE-2024-10002', 'CVE-2024-10003'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

interface Import {
  catalogue: CatalogueKind;
  passed: number;
  /** Milliseconds before the event; null: none. */
  effective: number | null;
  /** CVE → one of two values. */
  rows: Record<string, number>;
}

const imports: fc.Arbitrary<Import[]> = fc.array(
  fc.record({
    catalogue: fc.constantFrom('cve' as const, 'kev' as const),
    passed: fc.integer({ min: 1, max: 3 }),
    effective: fc.option(fc.integer({ min: 0, max: 8 })),
    rows: fc.dictionary(fc.constantFrom(...CVES), fc.nat(1), { minKeys: 1 }),
  }),
  { minLength: 1, maxLength: 7 },
);

const valueFor = (catalogue: CatalogueKind, choice: number) =>
  catalogue === 'cve'
    ? { state: ['PUBLISHED', 'REJECTED'][choice]! }
    : { dateAdded: `2026-01-0${choice + 1}` };

async function run({ catalogue, passed, effective, rows }: Import, log: FoldingLog): Promise<void> {
  log.now += passed;
  const read: ReadRow[] = Object.entries(rows).map(([cve, choice]) => ({
    cve,
    value: valueFor(catalogue, choice),
  }));
  const request = {
    catalogue,
    source: 'list.json',
    async *read() {
      yield* read;
    },
    mayShrink: true,
    effectiveFrom: effective === null ? null : log.now - effective,
  };
  await importCatalogue(database.db, request, log, () => log.now);
}

/** What the catalogues say of each CVE at every instant of the imports. */
async function known(): Promise<unknown[]> {
  const timeline = await readCatalogues(database.db, CVES);
  return Array.from({ length: 60 }, (_, i) => {
    const { cveStateOf, kevOf } = timeline.at(T0 - 20 + i);
    return CVES.map((cve) => [cveStateOf(cve), kevOf(cve)]);
  });
}

async function removeLater(until: number): Promise<void> {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    await removeLaterData(connection, until);
    await connection.query('commit');
  } finally {
    connection.release(true);
  }
}

/** Imports, removes the later ones, and expects the catalogues as they were before these. */
async function expectAsBefore(earlier: Import[], later: Import[]): Promise<void> {
  await database.pool.query(TABLES.map((table) => `delete from ${table}`).join(';'));
  const log = new FoldingLog(database);
  for (const one of earlier) await run(one, log);
  const before = await known();
  const until = log.now;
  for (const one of later) await run(one, log);
  await database.pool.query('delete from acts where at > $1', [new Date(until)]);
  await removeLater(until);
  expect(await known()).toEqual(before);
}

describe('a restore up to an instant', () => {
  it('leaves the catalogues as they were before the later imports (property)', async () => {
    await fc.assert(fc.asyncProperty(imports, imports, expectAsBefore), { numRuns: runs(25) });
  }, 240_000);

  it('keeps what a complete list said before later imports filled in its past, the later day first', async () => {
    const kev = (passed: number, effective: number | null, value: number): Import => ({
      catalogue: 'kev',
      passed,
      effective,
      rows: { [CVES[0]!]: value },
    });
    await expectAsBefore([kev(1, null, 1), kev(9, null, 1)], [kev(1, 5, 1), kev(1, 9, 0)]);
  });
});
