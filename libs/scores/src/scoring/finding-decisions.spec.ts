import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CatalogueKind, CatalogueTimeline, importCatalogue, type ReadRow } from '#libs/catalogue-store';
import { assetId, type EntityDescription, findingId, type IntakePayload, posture2 } from '#libs/domain';
import { FoldingLog } from '../../../../test/fixtures/catalogue-store/folding-log.ts';
import { catalogueRows, insertCatalogue } from '../../../../test/fixtures/scores/catalogue-rows.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { openings, PARTITIONS } from '../../../../test/support/opened-log.ts';
import {
  DAY_MS,
  described,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  uploadId,
} from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { threatHistories } from '../../../../test/support/threat-histories.ts';
import { DECISIONS_VERSION } from './decide-all.ts';
import { scorePartition } from './score-partition.ts';

const NEWER = DECISIONS_VERSION + 1;
const KNOWN = 'CVE-2021-44228';
const OTHER = 'CVE-2024-3094';
const WEB = assetId('machine:web01');
const HOLE = findingId(WEB, 'va', 'hole');

const accepted = (until: number | null): IntakePayload => ({
  type: 'FindingAccepted',
  findingId: HOLE,
  seenVersion: null,
  rationale: 'known',
  until,
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const score = (now: number) => scoreAll(database, PARTITIONS, now);

/** By asset name and finding name. */
async function stored(): Promise<Record<string, { decision: string }>> {
  const { rows } = await database.pool.query(`
    select a.name || ' ' || f.name as name, d.decision, d.exploitation, d.automatable,
           d.technical_impact as "technicalImpact", d.mission, d.cve, d.kev_added::text as "kevAdded",
           d.kev_due::text as "kevDue", d.kev_ransomware as "kevRansomware", d.epss
    from finding_decisions d join findings f using (asset_no, finding_no) join assets a using (asset_no)
    where a.partition = d.partition order by 1`);
  return Object.fromEntries(rows.map(({ name, ...decision }) => [name, decision]));
}

const decisions = async () =>
  Object.fromEntries(Object.entries(await stored()).map(([name, { decision }]) => [name, decision]));

/** The decisions on the folded rows, one finding at a time. */
async function recomputed(catalogue: posture2.ThreatCatalogue, at: number): Promise<Record<string, object>> {
  const { rows } = await database.pool.query(`
    select a.name || ' ' || f.name as name, a.state as asset, f.body as finding, s.expires_at as "expiresAt",
           s.retain_until as "retainUntil"
    from findings f join finding_seen s using (asset_no, finding_no) join assets a using (asset_no)
    where a.deleted_at is null order by 1`);
  return Object.fromEntries(
    rows.flatMap(({ name, asset, finding, ...seen }) => {
      const facts = posture2.assessedFindingOf(finding, seen);
      const made = posture2.findingDecision(facts, posture2.threatenedAssetOf(asset), catalogue, at);
      if (!made) return [];
      const { kev: _, epss: __, ...decision } = made;
      const { kev, epss } = posture2.cveThreats(finding, catalogue);
      const entry = {
        kevAdded: kev?.dateAdded ?? null,
        kevDue: kev?.dueDate ?? null,
        kevRansomware: kev ? (kev.isUsedByRansomware ?? false) : null,
        epss,
      };
      return [[name, { ...decision, ...entry }]];
    }),
  );
}

const cases = fc.record({
  events: threatHistories,
  catalogue: catalogueRows,
  cuts: fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 4 }),
  /** How far the scorer's clock is ahead of the log's. */
  ahead: fc.constantFrom(0, 1_000, 10 * DAY_MS),
});

describe('the stored decisions', () => {
  it('follow from the stored findings, assets and catalogues at every instant of scoring (property)', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, catalogue, cuts, ahead }) => {
        await emptyFolded(database);
        await emptyScored(database);
        await insertCatalogue(database, catalogue);
        const timeline = new CatalogueTimeline(catalogue);
        for (const cut of [...cuts.sort((a, b) => a - b), 100]) {
          const until = [...openings, ...events.slice(0, Math.ceil((cut / 100) * events.length))];
          await foldOn(database, until);
          const now = Math.max(...until.map((one) => one.event.envelope.at)) + ahead;
          // As an import does.
          await database.pool.query(
            `insert into rescorings (partition, asset_no, since) select partition, asset_no, $2 from assets
             where $1 on conflict do nothing`,
            [catalogue.length > 0, new Date(T0).toISOString()],
          );
          await score(now);
          expect(await stored()).toEqual(await recomputed(timeline.at(now), now));
        }
      }),
      { numRuns: runs(60) },
    );
  }, 240_000);
});

describe('a decision', () => {
  let log: FoldingLog;
  let uploads = 0;
  beforeEach(async () => {
    await emptyFolded(database);
    await emptyScored(database);
    await database.pool.query('delete from catalogue_imports; delete from catalogue_staged');
    log = new FoldingLog(database);
  });

  const tell = (payload: IntakePayload, at: number) =>
    log.fold(event(payload, at, { uploadId: uploadId(++uploads), receivedAt: at }));
  const observed = (status: 'fail' | 'pass' | 'unknown') =>
    observation('va', [instance(status, { cves: [OTHER, KNOWN] })]);
  const hole = (given: object = {}, asset: Partial<EntityDescription> = {}) =>
    signal('hole', 'fail', {
      entity: entity({ criticality: 'high', ...asset }),
      observations: [observed('fail')],
      ...given,
    });
  const imported = (catalogue: CatalogueKind, at: number, rows: ReadRow[]) => {
    log.now = at;
    const read = async function* () {
      yield* rows;
    };
    return importCatalogue(database.db, { catalogue, source: 'list', read, mayShrink: true }, log, () => at);
  };
  const kev = (...cves: string[]) =>
    cves.map((cve) => ({
      cve,
      value: { dateAdded: '2026-01-02', isUsedByRansomware: true, dueDate: '2026-01-23' },
    }));

  it('follows KEV, with its entry, and EPSS', async () => {
    await tell(hole({}, { integrityRequirement: 'high' }), T0);
    await score(T0);
    const none = { exploitation: 'none', kevAdded: null, kevDue: null, kevRansomware: null };
    expect(await stored()).toMatchObject({ 'web01 hole': { decision: 'Track', cve: KNOWN, ...none } });
    await imported('kev', T0 + 1_000, kev(OTHER));
    await score(T0 + 1_000);
    expect(await stored()).toEqual({
      'web01 hole': {
        decision: 'Attend',
        exploitation: 'active',
        automatable: false,
        technicalImpact: 'partial',
        mission: 'high',
        cve: OTHER,
        kevAdded: '2026-01-02',
        kevDue: '2026-01-23',
        kevRansomware: true,
        epss: null,
      },
    });
    await imported('kev', T0 + 2_000, []);
    await imported('epss', T0 + 3_000, [{ cve: OTHER, value: { probability: 0.2, date: '2026-01-01' } }]);
    await score(T0 + 3_000);
    expect(await stored()).toMatchObject({
      'web01 hole': { decision: 'Track*', exploitation: 'poc', cve: OTHER, kevAdded: null, epss: 0.2 },
    });
  });

  it('follows the criticality of the asset', async () => {
    await imported('kev', T0, kev(KNOWN));
    await tell(hole({}, { criticality: 'low' }), T0 + 1);
    await score(T0 + 1);
    expect(await decisions()).toEqual({ 'web01 hole': 'Track' });
    await tell(described({ entity: entity({ criticality: 'critical' }) }), T0 + 2);
    await score(T0 + 2);
    expect(await decisions()).toEqual({ 'web01 hole': 'Attend' });
  });

  it.each<[string, IntakePayload | null, number]>([
    ['is accepted', accepted(null), 1],
    ['is fixed', signal('hole', 'pass', { entity: entity({ criticality: 'high' }) }), 1],
    ['expires, before the sweep reports it', null, 20 * DAY_MS],
    ['is deleted with its asset', { type: 'AssetDeleted', assetId: WEB, seenVersion: null }, 1],
  ])('ends when the finding %s', async (_, payload, after) => {
    await tell(hole({ expiresAt: T0 + 10 * DAY_MS }), T0);
    await score(T0);
    expect(Object.keys(await stored())).toHaveLength(1);
    if (payload) await tell(payload, T0 + after);
    await score(T0 + after);
    expect((await database.pool.query('select from finding_decisions')).rows).toHaveLength(0);
  });

  it('is kept while the finding is not assessed in an open failing period', async () => {
    const unknown = (at: number) =>
      tell(signal('hole', 'unknown', { entity: entity(), observations: [observed('unknown')] }), at);
    await unknown(T0);
    await score(T0);
    expect(await stored()).toEqual({});
    await tell(hole(), T0 + 1);
    await unknown(T0 + 2);
    await score(T0 + 2);
    expect(await decisions()).toEqual({ 'web01 hole': 'Track' });
    await imported('kev', T0 + 1_000, kev(KNOWN));
    await score(T0 + 1_000);
    expect(await stored()).toMatchObject({ 'web01 hole': { cve: KNOWN, kevAdded: '2026-01-02' } });
    await tell(hole({ observations: [observed('pass')] }), T0 + 2_000);
    await unknown(T0 + 2_001);
    await score(T0 + 2_001);
    expect(await stored()).toEqual({});
  });

  it('returns when the acceptance is reverted to Failed', async () => {
    await tell(hole(), T0);
    await tell(accepted(T0 + DAY_MS), T0 + 1);
    await score(T0 + 1);
    expect(await stored()).toEqual({});
    await tell(
      { type: 'FindingReverted', findingId: HOLE, seenVersion: null, to: 'Failed', rationale: null },
      T0 + 2,
    );
    await score(T0 + 2);
    expect(await decisions()).toEqual({ 'web01 hole': 'Track' });
  });

  it('has the greatest EPSS of the valid CVEs, also of those that it is not about', async () => {
    await tell(hole(), T0);
    const forecasts = (known: number, other: number) => [
      { cve: KNOWN, value: { probability: known, date: '2026-01-01' } },
      { cve: OTHER, value: { probability: other, date: '2026-01-01' } },
    ];
    await imported('epss', T0 + 1_000, forecasts(0.01, 0.05));
    await score(T0 + 1_000);
    expect(await stored()).toMatchObject({ 'web01 hole': { cve: KNOWN, epss: 0.05 } });
    await imported('epss', T0 + 2_000, forecasts(0.01, 0.002));
    await score(T0 + 2_000);
    expect(await stored()).toMatchObject({ 'web01 hole': { cve: KNOWN, epss: 0.01 } });
    await imported('cve', T0 + 3_000, [{ cve: KNOWN, value: { state: 'REJECTED' } }]);
    await score(T0 + 3_000);
    expect(await stored()).toMatchObject({ 'web01 hole': { cve: OTHER, epss: 0.002 } });
  });

  it('is written only if it differs', async () => {
    await tell(hole(), T0);
    await imported('epss', T0 + 1, [{ cve: KNOWN, value: { probability: 0.02, date: '2026-01-01' } }]);
    await score(T0 + 1);
    const rowVersion = async () =>
      (await database.pool.query('select xmin::text, ctid::text from finding_decisions')).rows;
    const before = await rowVersion();
    await tell(described({ entity: entity({ criticality: 'high', department: 'IT' }) }), T0 + 2);
    await imported('epss', T0 + 3, [
      { cve: KNOWN, value: { probability: 0.02, date: '2026-01-01' } },
      { cve: OTHER, value: { probability: 0.01, date: '2026-01-01' } },
    ]);
    await score(T0 + 3);
    expect(await rowVersion()).toEqual(before);
  });

  it('is made once on all findings that were scored before there were decisions, without new scores', async () => {
    await tell(hole(), T0);
    await score(T0);
    const scores = async () => (await database.pool.query('select * from score_history')).rows;
    const before = await scores();
    await database.pool.query(
      'delete from finding_decisions; update scored_partitions set decisions_version = 0',
    );
    await score(T0 + 1_000);
    expect(await decisions()).toEqual({ 'web01 hole': 'Track' });
    expect(await scores()).toEqual(before);
    expect((await scorePartition(database.db, 0, T0 + 2_000)).assets).toBe(0);
  });

  it('is kept if a scorer of a newer version made it', async () => {
    await tell(hole(), T0);
    await score(T0);
    await database.pool.query(
      `update finding_decisions set decision = 'Act'; update scored_partitions set decisions_version = ${NEWER}`,
    );
    await score(T0 + 1_000);
    expect(await decisions()).toEqual({ 'web01 hole': 'Act' });
    await tell(hole({}, { criticality: 'low' }), T0 + 2_000);
    await score(T0 + 2_000);
    const { rows } = await database.pool.query('select distinct decisions_version from scored_partitions');
    expect(rows).toEqual([{ decisions_version: NEWER }]);
    expect((await database.pool.query('select from rescorings')).rows).toHaveLength(0);
  });
});
