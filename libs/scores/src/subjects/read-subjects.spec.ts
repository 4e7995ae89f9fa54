import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { posture2 } from '#libs/domain';
import { assetFacts } from '#libs/views';
import { foldInto } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import type { MemoryLog } from '../../../../test/support/memory-log.ts';
import { liveAssetsAt, memoryLogOf, openings } from '../../../../test/support/opened-log.ts';
import {
  DAY_MS,
  entity,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import type { AssetGroup } from './asset-group.ts';
import { assetPages, type SubjectScope } from './asset-pages.ts';
import { readSubjects, type Subject } from './read-subjects.ts';
import type { ReadingInstant } from './reading-instant.ts';

const LATER = T0 + 10_000 * DAY_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function all(scope: SubjectScope, instant: ReadingInstant): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for await (const page of readSubjects(database.db, scope, instant)) subjects.push(...page.subjects);
  return subjects;
}

/** The facts of a subject for the model at an instant: without findings that do not count, and without ends. */
const seen = (findings: readonly posture2.AssessedFinding[], at: number) =>
  findings
    .filter(({ state, activeUntil }) => state !== 'Retired' && activeUntil > at)
    .filter(({ cves, techniques }) => cves.length + techniques.length > 0)
    .map(({ activeUntil: _, ...facts }) => facts)
    .sort((a, b) => (a.id < b.id ? -1 : 1));

const told = (subjects: Subject[], at: number) =>
  subjects.map(({ asset, findings }) => ({ asset, findings: seen(findings, at) }));

/** The same from only the log. */
async function known(log: MemoryLog, at: number, group?: AssetGroup) {
  const subjects: ReturnType<typeof told> = [];
  const live = [...(await liveAssetsAt(log, at))].sort((a, b) => a.asset.number - b.asset.number);
  for (const { asset, findings } of live) {
    if (group && assetFacts(asset)[group.kind] !== group.name) continue;
    const facts = [...findings.values()].map(({ finding, seen }) =>
      posture2.assessedFindingOf(finding, seen, posture2.pastWith(null, finding, finding.updatedAt)),
    );
    const threatened = { ...posture2.threatenedAssetOf(asset), name: asset.name };
    subjects.push({ asset: threatened, findings: seen(facts, at) });
  }
  return subjects;
}

const cases = histories.chain((events) =>
  fc.record({
    events: fc.constant<LoggedEvent[]>([...openings, ...events]),
    instants: fc.array(
      fc
        .tuple(fc.constantFrom(...events.map((one) => one.event.envelope.at)), fc.constantFrom(-1, 0, 1))
        .map(([at, by]) => at + by),
      { minLength: 4, maxLength: 4 },
    ),
    group: fc.constantFrom<AssetGroup>(
      { kind: 'department', name: 'Sales' },
      { kind: 'location', name: 'Unassigned' },
      { kind: 'type', name: 'Server' },
      { kind: 'attackSurface', name: 'Data' },
    ),
  }),
);

describe('scoring subjects', () => {
  it('are those of the log, in the past and at present, all of them and of a group (property)', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, instants, group }) => {
        await foldInto(database, events);
        const log = await memoryLogOf(events);
        for (const at of instants) {
          const past = { at, isPast: true };
          expect(told(await all({}, past), at)).toEqual(await known(log, at));
          expect(told(await all({ group }, past), at)).toEqual(await known(log, at, group));
        }
        const last = Math.max(...events.map((one) => one.event.envelope.at));
        for (const at of [last, LATER]) {
          const present = { at, isPast: false };
          expect(told(await all({}, present), at)).toEqual(await known(log, at));
          expect(told(await all({ group }, present), at)).toEqual(await known(log, at, group));
        }
      }),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('are read in pages of at most 500 assets or 5,000 findings, a larger asset as its own page', async () => {
    const finding = (host: string, n: number) =>
      signal(`finding ${n}`, 'fail', {
        entity: entity({ name: host }),
        observations: [observation('va', [instance('fail', { cves: [`CVE-2024-${10_000 + n}`] })])],
      });
    const host = (name: string, i: number, findings: number): LoggedEvent[] =>
      upload(
        i,
        T0,
        Array.from({ length: findings }, (_, n) => finding(name, n)),
        { entityKey: `machine:${name}` },
      ).map((one) => ({ partition: 0, event: one }));
    await foldInto(database, [
      ...Array.from({ length: 600 }, (_, i) => host(`small${i}`, i, 1)).flat(),
      ...host('large', 600, 5_300),
      ...host('medium', 601, 2_600),
      ...host('medium too', 602, 2_600),
    ]);
    // As autovacuum does, which is late on a busy machine.
    await database.pool.query('analyze');
    for (const isPast of [false, true]) {
      const instant = { at: T0 + 1, isPast };
      const pages: number[][] = [];
      for await (const { subjects } of readSubjects(database.db, {}, instant)) {
        pages.push(subjects.map(({ findings }) => findings.length));
      }
      expect(pages.map(({ length }) => length)).toEqual([500, 100, 1, 1, 1]);
      expect(pages.slice(2)).toEqual([[5_300], [2_600], [2_600]]);
      const some: number[] = [];
      const { rows } = await database.pool.query(
        'select asset_no from assets order by asset_no desc limit 700',
      );
      const assetNos = rows.map(({ asset_no }) => asset_no as number);
      for await (const page of assetPages(database.db, { assetNos }, instant)) some.push(page.length);
      expect(some).toEqual([500, 100, 1, 1, 1]);
    }
    expect(await all({ assetNos: [] }, { at: T0 + 1, isPast: false })).toEqual([]);
  });

  it('include the data of the catalogues about their CVEs', async () => {
    await database.pool.query(
      `insert into catalogue_rows values ('kev', 'CVE-2024-10000', '{"dateAdded": "2026-01-01"}', $1)`,
      [new Date(T0).toISOString()],
    );
    for await (const { catalogues } of readSubjects(database.db, {}, { at: T0 + 1, isPast: false })) {
      expect(catalogues.at(T0 + 1).kevOf('CVE-2024-10000')).toEqual({ dateAdded: '2026-01-01' });
    }
  });

  it('have every finding if these are too large to be read at once', async () => {
    const evidence = 'x'.repeat(1 << 20);
    const signals = Array.from({ length: 20 }, (_, n) => {
      const cves = [`CVE-2024-${20_000 + n}`];
      return signal(`large ${n}`, 'fail', {
        observations: [observation('va', [instance('fail', { cves, evidence })])],
      });
    });
    const events = upload(700, T0, signals).map((event) => ({ partition: 0, event }));
    await foldInto(database, events);
    for (const isPast of [false, true]) {
      const [subject] = await all({}, { at: T0 + 1, isPast });
      expect(subject!.findings.flatMap(({ cves }) => cves).sort()).toEqual(
        signals.flatMap(({ observations }) => observations[0]!.instances[0]!.cves),
      );
    }
  });
});
