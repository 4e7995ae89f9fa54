import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CatalogueRow, CatalogueTimeline } from '#libs/catalogue-store';
import { addRiskSums, EMPTY_RISK_SUM, findingFactsOf, groupScore, riskSumOf, scoreAsset } from '#libs/domain';
import type { AssetGroup } from '#libs/scores';
import { ALL_ROWS } from '#libs/tables';
import { assetFacts } from '#libs/views';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { foldInto, foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import type { MemoryLog } from '../../../../test/support/memory-log.ts';
import {
  liveAssetsAt,
  memoryLogOf,
  OPENED,
  openings,
  PARTITIONS,
} from '../../../../test/support/opened-log.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { ExplainRepository } from './explain.repository.ts';
import { Explanations } from './explain.service.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';

const LATER = T0 + 10_000 * DAY_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Right before, at and right after every event and due time. */
const instantsOf = (events: LoggedEvent[]) => {
  const times = events.flatMap(({ event: { envelope, payload } }) => [
    envelope.at,
    ...(payload.type === 'SignalReceived' ? [payload.expiresAt, payload.retainUntil] : []),
  ]);
  return fc.tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1)).map(([time, by]) => time + by);
};

/** The data in force from an instant on, one row of each catalogue and CVE. */
const catalogueRows: fc.Arbitrary<CatalogueRow[]> = fc
  .uniqueArray(
    fc.record({
      catalogue: fc.constantFrom('cve' as const, 'epss' as const, 'kev' as const),
      cve: fc.constantFrom('CVE-2021-44228', 'CVE-2024-3094'),
      validFrom: fc.integer({ min: T0, max: T0 + 60 * DAY_MS }),
    }),
    { maxLength: 4, selector: ({ catalogue, cve }) => `${catalogue} ${cve}` },
  )
  .map((rows) =>
    rows.map((row) => ({
      ...row,
      validTo: Number.POSITIVE_INFINITY,
      value: {
        cve: { state: 'REJECTED' },
        epss: { probability: 0.4, date: '2026-01-01' },
        kev: { dateAdded: '2026-01-01' },
      }[row.catalogue],
    })),
  );

const GROUPS: (AssetGroup | null)[] = [
  null,
  null,
  { kind: 'department', name: 'Sales' },
  { kind: 'department', name: 'Unassigned' },
  { kind: 'type', name: 'Server' },
  { kind: 'attackSurface', name: 'Data' },
  { kind: 'location', name: 'nowhere' },
];

const cases = histories.chain((events) =>
  fc.record({
    events: fc.constant<LoggedEvent[]>([...openings, ...events]),
    catalogue: catalogueRows,
    /** How much of the log is scored, the rest waiting for it. */
    scored: fc.constantFrom(1, 0.5, 0),
    spans: fc.array(fc.tuple(instantsOf(events), instantsOf(events), fc.constantFrom(...GROUPS)), {
      minLength: 5,
      maxLength: 5,
    }),
  }),
);

async function store(events: LoggedEvent[], catalogue: CatalogueRow[], scored: number): Promise<void> {
  await emptyScored(database);
  const known = events.slice(0, Math.ceil(events.length * scored));
  await foldInto(database, known);
  if (scored < 1) await score(Math.max(OPENED, ...known.map((one) => one.event.envelope.at)));
  await foldOn(database, events);
  await importAll(catalogue);
  if (scored === 1) await score(LATER);
}

/** As imports leave it: in force, and its assets waiting. */
async function importAll(catalogue: CatalogueRow[]): Promise<void> {
  for (const { catalogue: kind, cve, value, validFrom } of catalogue) {
    const at = new Date(validFrom).toISOString();
    const row = [kind, cve, JSON.stringify(value), at];
    await database.pool.query('insert into catalogue_rows values ($1, $2, $3, $4)', row);
    await database.pool.query(
      `insert into rescorings select distinct partition, asset_no, $1::timestamptz from findings
       where cves @> array[$2]
       on conflict (partition, asset_no) do update set since = least(rescorings.since, excluded.since)`,
      [at, cve],
    );
  }
}

const score = (now: number) => scoreAll(database, PARTITIONS, now);

/** The model's result for an instant, only from the log and the catalogues: asset id → score, of a group. */
async function scoredAt(
  log: MemoryLog,
  catalogue: CatalogueTimeline,
  at: number,
  group: AssetGroup | null,
): Promise<Map<string, ReturnType<typeof scoreAsset>>> {
  const scores = new Map<string, ReturnType<typeof scoreAsset>>();
  for (const { asset, findings } of await liveAssetsAt(log, at)) {
    if (group && assetFacts(asset)[group.kind] !== group.name) continue;
    const facts = [...findings.values()].map(({ finding, seen }) => findingFactsOf(finding, seen));
    scores.set(asset.id, scoreAsset({ asset, findings: facts }, catalogue.at(at), at));
  }
  return scores;
}

const groupOf = (scores: Iterable<ReturnType<typeof scoreAsset>>) =>
  groupScore([...scores].map(riskSumOf).reduce(addRiskSums, EMPTY_RISK_SUM)).score;

const hundredths = (points: number) => Math.round(points * 100);

function expectAddsUp(told: Awaited<ReturnType<Explanations['group']>>): void {
  const shares = [...told.causes, told.others].reduce((sum, { share }) => sum + hundredths(share), 0);
  expect(shares).toBe(hundredths(told.difference));
  expect(shares).toBe(hundredths(told.to.score ?? 0) - hundredths(told.from.score ?? 0));
}

describe('what moved a score', () => {
  it('is between the scores of the log and the catalogues, and adds up (property)', async () => {
    const explanations = new Explanations(
      database.db,
      new ExplainRepository(database.db),
      new AssetsAsOfRepository(database.db),
      new ScoreSlots(),
      new ScoringChoices(database.db),
      () => LATER,
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, catalogue, scored, spans }) => {
        await store(events, catalogue, scored);
        const log = await memoryLogOf(events);
        const timeline = new CatalogueTimeline(catalogue);
        for (const [one, other, group] of spans) {
          if (one === other) continue;
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const before = await scoredAt(log, timeline, from, group);
          const after = await scoredAt(log, timeline, to, group);
          const told = await explanations.group({ from, to, ...(group && { [group.kind]: group.name }) });
          expect([told.from.score, told.to.score]).toEqual([
            groupOf(before.values()),
            groupOf(after.values()),
          ]);
          expectAddsUp(told);
          for (const id of after.keys()) {
            const own = await explanations.asset(id, { from, to }, ALL_ROWS);
            expect(own.to.score).toBe(after.get(id)!.score);
            if (before.has(id)) expect(own.from.score).toBe(before.get(id)!.score);
            expectAddsUp(own);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  }, 240_000);
});
