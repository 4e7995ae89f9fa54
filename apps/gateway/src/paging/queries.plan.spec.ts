import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sla, SlaState } from '#libs/domain';
import { ALL_ROWS, type RowLimits, readEntities } from '#libs/tables';
import { ownerRule } from '../../../../test/fixtures/domain/owner-rules.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { isInRun } from '../../../../test/support/part-of-run.ts';
import { indexOf, QueryPlans, wholeScans } from '../../../../test/support/query-plans.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { NOTHING_SEALED } from '../../../../test/support/subject-keys-in-memory.ts';
import { AssetCountsRepository } from '../assets/asset-counts.repository.ts';
import { ASSET_NUMBERS, ASSET_SORTS } from '../assets/asset-sorts.ts';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { TechniqueCountsRepository } from '../attack-matrix/technique-counts.repository.ts';
import type { FindingFilter } from '../findings/finding-conditions.ts';
import { FindingCountsRepository } from '../findings/finding-counts.repository.ts';
import type { Grouping } from '../findings/finding-groups.dto.ts';
import { FindingGroupsRepository } from '../findings/finding-groups.repository.ts';
import { FINDING_NUMBERS, FINDING_SORTS } from '../findings/finding-sorts.ts';
import { FindingsRepository } from '../findings/findings.repository.ts';
import { RemediationRepository } from '../findings/remediation.repository.ts';
import { listOrder } from './sort.ts';

const ASSETS = 10_000;
const FILL_MS_MAX = 300_000;
const FINDINGS_EACH = 20;
const NOW = T0 + 30 * DAY_MS;
const LIMIT = 50;
/** Findings with a CVE. */
const WITH_CVE = (ASSETS * FINDINGS_EACH) / 2;
/** Rows that a page may look at; the tables have 200,000 findings and 10,000 assets. */
const ROWS_MAX = 12_000;
/** The same for a page that is merged of a page of each class of due dates. */
const MERGED_ROWS_MAX = 30_000;
const ASSET = '00000000-0000-4000-8000-000000000007';
/** A few changes, and thousands. */
const RARE_UPLOAD = '00000000-0000-4000-8000-100000000001';
const LARGE_UPLOAD = '00000000-0000-4000-8000-100000000002';
const changedBy = (uploadId: string, first: number, last: number): Given => ({
  changed: {
    uploadId,
    runs: [{ kind: 'finding', partition: 0, first, last }],
    until: null,
    rowLimits: ALL_ROWS,
  },
});

let database: TestDatabase;
let plans: QueryPlans;
let db: QueryPlans['db'];
const explain = (ask: () => Promise<unknown>) => plans.explain(ask);

beforeAll(async () => {
  database = await testDatabase();
  plans = new QueryPlans(database.pool);
  db = plans.db;
  await fill();
}, FILL_MS_MAX);
afterAll(() => database.drop());

/** Common and rare values of everything that is filtered by: one in a thousand, and often fewer. */
async function fill(): Promise<void> {
  const at = (days: number) => `to_timestamp(${T0 / 1000 + days * 86_400})`;
  const text = `
    set statement_timeout to 0;
    insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location,
                        criticality, sources, custom_fields, state)
      select a, ('00000000-0000-4000-8000-' || lpad(a::text, 12, '0'))::uuid, 0, 'machine:' || a, 'host' || a,
             case when a % 1000 = 0 then 'Mainframe' else 'Server' end,
             case when a % 1000 = 1 then 'Edge' else 'Infrastructure' end,
             case when a % 1000 = 2 then 'Legal' else 'IT' end, case when a % 1000 = 3 then 'Oslo' else 'Berlin' end,
             case when a % 1000 = 4 then 'critical' when a % 3 = 0 then 'low' end,
             case when a % 1000 = 5 then array['Scanner', 'Rare'] else array['Scanner'] end,
             case when a % 1000 = 6 then '{"team": ["red"]}' else '{}' end::jsonb,
             json_build_object('name', 'host' || a, 'aliases', json_build_array('host' || a), 'fqdn',
               'host' || a || '.corp.example', 'ipAddresses', json_build_array('10.' || a % 250 || '.' || a / 250 || '.1'),
               'tags', json_build_object('team', json_build_array(case when a % 1000 = 9 then 'red' else 'blue' end)),
               'updatedAt', ${T0} + a)
        from generate_series(1, ${ASSETS}) a;
    insert into asset_seen (asset_no, partition, last_seen, due_at)
      select asset_no, partition, ${at(20)}, ${at(90)} from assets;
    update asset_seen set due_at = ${at(29)} where asset_no % 1000 = 8;
    insert into findings (asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques,
                          source, version, assignee, tags, due_ms, failed_since_ms, settled_at_ms, body)
      select a, n, gen_random_uuid(), 0, case when k % 1000 = 0 then 'waf' when n % 3 = 0 then 'ca' else 'va' end,
             'Weakness ' || k % 2000,
             case when k % 1000 = 1 then 'AcceptedFailed' when k % 1000 = 2 then 'Retired' when n % 2 = 0 then 'Qualified'
                  else 'Failed' end,
             case when k % 1000 = 3 then 10 else k % 95 / 10.0 end,
             case when n % 2 = 0 then array['CVE-2024-' || 10000 + k % 3000] else '{}' end,
             case when k % 1000 = 4 then array['T1059.001'] else '{}' end,
             case when k % 1000 = 5 then 'Rare' else 'Scanner' end, 1,
             case when k % 1000 = 11 then 'user:rare' when k % 20 = 0 then 'team:common' end,
             case when k % 1000 = 12 then array['rare'] when k % 20 = 1 then array['common'] end,
             case when k % 20 = 3 then ${T0} + k end,
             case when k % 1000 <> 13 then ${T0} + k % 30 * ${DAY_MS}::bigint end,
             case when n % 2 = 0 and k % 1000 <> 13 then ${T0} + (k % 30 + k % 17) * ${DAY_MS}::bigint end,
             json_build_object('updatedAt', ${T0} + k, 'firstSeen', ${T0} + k, 'accepted',
                               case when k % 1000 = 1 then json_build_object('until', ${T0} + k) end, 'description', 'It lets word' || k % 2000 || ' through',
                               'evidence', repeat('0123456789', 60))
        from generate_series(1, ${ASSETS}) a, generate_series(1, ${FINDINGS_EACH}) n,
             lateral (select a * 7919 % 10000 * ${FINDINGS_EACH} + n as k) k;
    insert into finding_seen (asset_no, finding_no, partition, signal_id, last_seen, expires_at, retain_until,
                              stamp_at, stamp_upload)
      select asset_no, finding_no, partition, '', ${at(20)},
             case when asset_no % 1000 = 8 then ${at(29)} else ${at(90)} end, ${at(90)}, ${at(20)}, '${ASSET}'
        from findings;
    insert into asset_scores (asset_no, partition, score, likelihood, scored_at)
      select asset_no, 0, case when asset_no % 10 > 0 then asset_no * 7919 % 100 * 100 end, 0, ${at(20)} from assets;
    insert into finding_decisions (partition, asset_no, finding_no, decision, exploitation, automatable,
                                   technical_impact, mission, cve, kev_ransomware, kev_added, epss)
      select 0, asset_no, finding_no,
             case when k % 1000 = 7 then 'Act' when k % 10 = 3 then 'Attend' when k % 1000 = 9 then 'Track*'
                  else 'Track' end, 'none', false, 'partial', 'medium', 'CVE-2024-10002',
             k % 1000 = 7, case when k % 100 = 7 then date '2026-01-01' end,
             case when k % 1000 = 7 then 0.95 when k % 4 = 1 then k % 600 / 1000.0 end
        from findings, lateral (select (asset_no * 7919 % 10000 * ${FINDINGS_EACH} + finding_no) as k) k
        where state = 'Failed';
    insert into finding_history (partition, sequence, asset_no, finding_no, at, change, from_state, to_state, cause,
                                 log_offset, body)
      select 0, row_number() over (order by c.at, asset_no, finding_no), asset_no, finding_no, c.at, 'updated',
             c.from_state, c.to_state, '{}', 0,
             json_build_object('failedSince', failed_since_ms, 'settledAt', c.settled_ms, 'evidence',
                               repeat('0123456789', 20))
        from findings, lateral (select (asset_no * 7919 % 10000 * ${FINDINGS_EACH} + finding_no) as k) k,
             lateral (
               values (null, 'Failed', to_timestamp(failed_since_ms / 1000), null),
                      ('Failed', 'Qualified', to_timestamp(settled_at_ms / 1000), settled_at_ms),
                      ('Qualified', 'Failed', case when k % 1000 < 20 then to_timestamp(settled_at_ms / 1000) end, null)
             ) as c (from_state, to_state, at, settled_ms)
        where c.at is not null;
    update finding_history set cause = json_build_object('uploadId', case when sequence <= 10 then '${RARE_UPLOAD}'
                                                                  else '${LARGE_UPLOAD}' end)
      where sequence <= 4000;
    insert into finding_texts
      select distinct on (1) text_id, searched_words(finding_text(name, body)) from findings;
    reset statement_timeout`;
  // On a loaded machine it takes longer than a query may.
  const filling = { text, query_timeout: FILL_MS_MAX };
  await database.pool.query(filling);
  await database.pool.query('vacuum analyze');
}

const SLA: Sla = {
  severity: { critical: 7, high: 14, medium: 30, low: 90 },
  ssvc: {},
  kev: null,
  exceptionsNeedEnd: false,
};
/** Findings with a decision that makes them due earlier are read as a whole, unless most have it. */
const SLA_BY_DECISION: Sla = { ...SLA, ssvc: { Act: 2, Attend: 10 }, kev: 5 };
type Given = Omit<FindingFilter, 'due'> & { dueBefore?: number; sla?: SlaState };
const bySla = ({ dueBefore, sla: state, ...given }: Given, sla = SLA): FindingFilter => ({
  ...given,
  ...((dueBefore ?? state) !== undefined && { due: { before: dueBefore, state, at: NOW, sla } }),
});
/** Owners of one asset in a thousand, and of nearly all. */
const RARE_OWNERS = [
  ownerRule({ departments: ['Legal'], team: 'legal' }),
  ownerRule({ tags: [{ key: 'team', value: 'red' }], team: 'red' }),
  ownerRule({ locations: ['Oslo'], user: 'rare' }),
];
const OWNER_RULES = [...RARE_OWNERS, ownerRule({ departments: ['IT'], team: 'it' })];
const ownedBy = (...keys: string[]): Given => ({ assignee: { keys, rules: OWNER_RULES } });
const FINDING_FILTERS: [string, Given][] = [
  ['none', {}],
  ['a common state', { state: 'Failed' }],
  ['a rare state', { state: 'AcceptedFailed' }],
  ['Retired', { state: 'Retired' }],
  ['several states', { state: ['AcceptedFailed', 'Retired'] }],
  ['a common type', { type: 'va' }],
  ['a rare type', { type: 'waf' }],
  ['a type that none has', { type: 'uba' }],
  ['a rare type and another', { type: ['waf', 'edr'] }],
  ['a low severityMin', { severityMin: 1 }],
  ['a high severityMin', { severityMin: 10 }],
  ['a rare level', { severity: 'critical' }],
  ['levels that are no neighbours', { severity: ['critical', 'info'] }],
  ['a rare decision', { ssvc: 'Act' }],
  ['a common decision', { ssvc: 'Track' }],
  ['decisions', { ssvc: ['Act', 'Attend'] }],
  ['a rare decision and a common type', { ssvc: 'Act', type: 'va' }],
  ['a decision and another state', { ssvc: 'Act', state: 'Qualified' }],
  ['a cve', { cve: 'CVE-2024-10002' }],
  ['a cve that none has', { cve: 'CVE-2020-0001' }],
  ['a technique', { technique: 'T1059.001' }],
  ['a common source', { source: 'Scanner' }],
  ['a rare source', { source: 'Rare' }],
  ['a title', { title: 'WEAKNESS 77' }],
  ['a title that none has', { title: 'none' }],
  ['assetId', { assetId: ASSET }],
  ['a rare assignee', { assignee: { keys: ['user:rare', 'team:rare'], rules: [] } }],
  ['a common assignee', { assignee: { keys: ['user:common', 'team:common'], rules: [] } }],
  ['an assignee that none has', { assignee: { keys: ['user:none', 'team:none'], rules: [] } }],
  ['assigned', { assignee: { isAssigned: true, rules: [] } }],
  ['not assigned', { assignee: { isAssigned: false, rules: [] } }],
  ['a rare owner, by the department', ownedBy('team:legal')],
  ['a rare owner, by a tag', ownedBy('team:red')],
  ['a rare owner whom users assign too', ownedBy('user:rare', 'team:rare')],
  ['a common owner', ownedBy('team:it')],
  ['a common assignee without assets', ownedBy('user:common', 'team:common')],
  ['a rare owner and a high severity', { ...ownedBy('team:red'), severityMin: 9 }],
  ['overdue of a rare owner', { ...ownedBy('team:red'), sla: 'overdue' }],
  ['assigned, by rules too', { assignee: { isAssigned: true, rules: RARE_OWNERS } }],
  ['not assigned, by rules neither', { assignee: { isAssigned: false, rules: RARE_OWNERS } }],
  ['a rare tag', { tag: 'rare' }],
  ['a common tag', { tag: 'common' }],
  ['a tag that none has', { tag: 'none' }],
  ['due before', { dueBefore: T0 + 500 }],
  ['overdue', { sla: 'overdue' }],
  ['a rare tag of a state that is overdue', { tag: 'rare', sla: 'overdue' }],
  ['due', { sla: 'due' }],
  ['due before, and overdue', { dueBefore: T0 + 500, sla: 'overdue' }],
  ['remedied in time', { sla: 'met' }],
  ['remedied too late', { sla: 'missed' }],
  ['remedied too late, and due before', { sla: 'missed', dueBefore: T0 + 500 }],
  ['a rare department', { department: 'Legal' }],
  ['a common department', { department: 'IT' }],
  ['a rare location', { location: 'Oslo' }],
  ['a rare asset type', { assetType: 'Mainframe' }],
  ['a common asset type', { assetType: 'Server' }],
  ['a rare criticality', { criticality: 'critical' }],
  ['a rare department and a high severity', { department: 'Legal', state: 'Failed', severityMin: 9 }],
  ['used by ransomware', { ransomware: 'true' }],
  ['known exploited', { kev: 'true' }],
  ['a rare forecast', { epssMin: 0.9 }],
  ['a common forecast', { epssMin: 0.01 }],
  ['a forecast that none has', { epssMin: 1 }],
  ['a rare forecast of a common severity', { epssMin: 0.9, severityMin: 4 }],
  ['first seen after', { firstSeenAfter: T0 + 199_800 }],
  ['first seen before', { firstSeenBefore: T0 + 500 }],
  ['first seen within', { firstSeenAfter: T0 + 100_000, firstSeenBefore: T0 + 100_400 }],
  ['first seen by most', { firstSeenBefore: T0 + 150_000 }],
  ['settled after', { settledAfter: T0 + 45 * DAY_MS }],
  ['settled by most', { settledAfter: T0 }],
  ['became failed after', { failedAfter: T0 + 40 * DAY_MS }],
  ['became failed by most', { failedAfter: T0 }],
  ['failed again after', { reopenedAfter: T0 + 40 * DAY_MS }],
  ['failed again by none', { reopenedAfter: T0 + 100 * DAY_MS }],
  ['changed by an upload', changedBy(RARE_UPLOAD, 1, 10)],
  ['changed by a large upload', changedBy(LARGE_UPLOAD, 11, 4_000)],
  [
    'changed by an upload, of a rare state',
    { ...changedBy(LARGE_UPLOAD, 11, 4_000), state: 'AcceptedFailed' },
  ],
  ['changed by no event of an upload', changedBy(ASSET, 1, 4_000)],
  ['acceptances that end', { acceptedUntilBefore: T0 + 100 * DAY_MS }],
  ['q of one', { q: 'word77' }],
  ['q of nobody', { q: 'nothing' }],
  ['q of all', { q: 'lets through' }],
  ['rare things of a common kind', { state: 'Failed', type: 'va', severityMin: 10 }],
  ['a rare source of a common state', { state: 'Failed', source: 'Rare' }],
  ['q and severityMin', { q: 'word77', severityMin: 7, state: 'Failed' }],
  ['state, type and source', { state: 'Failed', type: 'va', source: 'Scanner' }],
];
/** If most rows match by fields that the index of a count lacks, reading all rows is fastest. */
const OF_MOST = ['a common source', 'q of all', 'state, type and source', 'settled by most'];
const FINDING_SORT_VALUES = Object.keys(FINDING_SORTS).flatMap((key) => [key, `-${key}`]);
const cursor = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');

describe('lists of findings', () => {
  const list = (filter: Given, sort?: string, after?: string, sla?: Sla) => () =>
    new FindingsRepository(db, db, NOTHING_SEALED).list(
      bySla(filter, sla),
      ALL_ROWS,
      NOW,
      { ...listOrder(FINDING_SORTS, FINDING_NUMBERS, { sort, cursor: after }), sla: sla ?? SLA },
      LIMIT,
    );

  it.each(FINDING_FILTERS)('%s: by an index, and a few rows', async (_, filter) => {
    const plan = await explain(list(filter));
    expect(wholeScans(plan)).toEqual([]);
    expect(plan.rows).toBeLessThanOrEqual(filter.sla === undefined ? ROWS_MAX : MERGED_ROWS_MAX);
    // The order of the console.
    expect(wholeScans(await explain(list(filter, '-severity')))).toEqual([]);
  });

  it.each(['due', '-due', '-severity', undefined])(
    'due by decision, sorted by %s: only from indexes of findings',
    async (sort) => {
      for (const filter of [{}, { sla: 'overdue' }, { sla: 'due' }] as Given[]) {
        const plan = await explain(list(filter, sort, undefined, SLA_BY_DECISION));
        expect(wholeScans(plan).filter((table) => table !== 'finding_decisions')).toEqual([]);
      }
    },
  );

  it.each(['Weakness 77', 'nothing', 'é', 'weak'])(
    'a part of the name, %s: uses only the index of names',
    async (name) => {
      const plan = await explain(list({ name }));
      expect(wholeScans(plan)).toEqual([]);
    },
  );

  it.each(FINDING_SORT_VALUES)('sorted by %s: by an index, wherever the page lies', async (sort) => {
    const key = {
      severity: '5.5',
      name: 'weakness 5',
      updatedAt: String(T0 + 100_000),
      due: String(T0 + 100_000),
      assetName: 'host5',
    };
    const after = cursor(sort, key[sort.replace('-', '') as keyof typeof key], 5_000, 5);
    for (const filter of [
      {},
      { state: 'Failed' },
      { type: 'va', severityMin: 4 },
      { ssvc: 'Track' },
    ] as Given[]) {
      for (const page of [undefined, after]) {
        const plan = await explain(list(filter, sort, page));
        expect(wholeScans(plan)).toEqual([]);
        expect(plan.rows).toBeLessThanOrEqual(ROWS_MAX);
      }
    }
  });
});

describe('counts of findings', () => {
  it.each(FINDING_FILTERS.filter(([name]) => !OF_MOST.includes(name)))(
    '%s: without the wide rows of all findings',
    async (_, filter) => {
      const plan = await explain(() =>
        new FindingCountsRepository(db, db).count(bySla(filter), ALL_ROWS, NOW),
      );
      const narrow = ['assets', 'finding_decisions'];
      expect(wholeScans(plan).filter((table) => !narrow.includes(table))).toEqual([]);
    },
  );

  it('first seen by most: parses the JSON of no finding', async () => {
    const filter = { firstSeenBefore: T0 + 150_000 };
    const { scans } = await explain(() => new FindingCountsRepository(db, db).count(filter, ALL_ROWS, NOW));
    expect(scans.filter((scan) => scan['Relation Name'] === 'findings')).toEqual([
      expect.objectContaining({
        'Node Type': 'Bitmap Heap Scan',
        'Actual Rows': expect.closeTo(149_850, -3),
      }),
    ]);
  });

  it('by technique: only from the indexes of techniques', async () => {
    const counting = (filter: Given, rows: RowLimits) => () =>
      new TechniqueCountsRepository(db, db).count(bySla(filter), rows, NOW, ['T1059', 'T1059.001'], 1_000);
    const plan = await explain(counting({}, ALL_ROWS));
    const ofFindings = plan.scans.filter((scan) => scan['Relation Name'] === 'findings');
    expect(ofFindings[0]).toMatchObject({ 'Node Type': 'Index Only Scan' });
    expect(ofFindings.map(indexOf)).toEqual(['findings_mappings', 'findings_many_mappings']);
    expect(plan.rows).toBeLessThanOrEqual(WITH_CVE + ROWS_MAX);
    for (const [, rows] of LIMITS) {
      const limited = await explain(counting({ type: 'va' }, rows));
      expect(wholeScans(limited).filter((table) => table !== 'assets')).toEqual([]);
    }
  });

  it('of all are read only from the index', async () => {
    const plan = await explain(() => new FindingCountsRepository(db, db).count(bySla({}), ALL_ROWS, NOW));
    const facets = plan.scans.filter((scan) => scan['Index Name'] === 'findings_facets');
    // How many rows it still looks at depends on what else the server did since the vacuum.
    expect(facets).toMatchObject([{ 'Node Type': 'Index Only Scan' }]);
  });
});

describe('groups of findings', () => {
  const grouping = (by: Grouping, filter: Given, rows: RowLimits) => () =>
    new FindingGroupsRepository(db, db).group(by, bySla(filter), rows, NOW, LIMIT);

  it.each<[Grouping, string]>([
    ['cve', 'findings_mappings'],
    ['technique', 'findings_mappings'],
    ['asset', 'findings_facets'],
    ['title', 'findings_title'],
  ])('by %s of all are read only from an index', async (by, index) => {
    const plan = await explain(grouping(by, {}, ALL_ROWS));
    const [first, ...others] = plan.scans.filter((scan) => scan['Relation Name'] === 'findings');
    expect(first).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': index });
    // Findings with more CVEs than fit, and the titles of a page as findings have them.
    for (const scan of others) {
      expect(['findings_many_mappings', 'findings_title']).toContain(indexOf(scan));
      expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(LIMIT * FINDINGS_EACH);
    }
  });

  /** Each filter is grouped by one of them in a run, and by another one from run to run. */
  const ROTATING: Grouping[] = ['cve', 'asset', 'title'];

  it.each(
    FINDING_FILTERS.filter(([name]) => !OF_MOST.includes(name)).map((given, i) => [...given, i] as const),
  )('%s: without the wide rows of all findings', async (_, filter, i) => {
    for (const [j, by] of ROTATING.entries()) {
      if (!isInRun(i + j, 3)) continue;
      const plan = await explain(grouping(by, filter, ALL_ROWS));
      expect(wholeScans(plan).filter((table) => table === 'findings')).toEqual([]);
    }
  });

  it('of limited callers: by an index', async () => {
    for (const [, rows] of LIMITS) {
      const plan = await explain(grouping('cve', { type: 'va' }, rows));
      expect(wholeScans(plan).filter((table) => table === 'findings')).toEqual([]);
    }
  });
});

describe('times to remediate', () => {
  const WINDOW = { from: T0 + 30 * DAY_MS, to: T0 + 50 * DAY_MS };
  const measure = (rows: RowLimits, filter: FindingFilter, isPast: boolean) =>
    explain(() => new RemediationRepository(db).measure(filter, rows, WINDOW, isPast));

  it('of all are read only from indexes, but for findings that failed again', async () => {
    const plan = await measure(ALL_ROWS, {}, false);
    expect(wholeScans(plan)).toEqual([]);
    const settled = plan.scans.filter((scan) => scan['Index Name'] === 'findings_settled');
    expect(settled).toMatchObject([{ 'Node Type': 'Index Only Scan' }]);
    const again = plan.scans.filter((scan) => scan['Index Name'] === 'finding_history_failed_again');
    expect(again).toMatchObject([{ 'Node Type': 'Index Only Scan' }]);
    const wide = plan.scans.filter((scan) => !scan['Node Type'].includes('Only'));
    const looked = wide.reduce((sum, scan) => sum + scan['Actual Rows'] * scan['Actual Loops'], 0);
    expect(looked).toBeLessThanOrEqual(ROWS_MAX);
  });

  it('of limited callers and filters find their findings by indexes', async () => {
    for (const [, rows] of LIMITS) {
      const plan = await measure(rows, { type: 'va', severityMin: 7 }, false);
      // Assets have no histories here, so that no index of them is cheaper.
      const read = wholeScans(plan).filter((table) => !['assets', 'asset_history'].includes(table));
      expect(read).toEqual([]);
    }
  });

  it('as of an instant are read from the changes of the window', async () => {
    const plan = await measure(ALL_ROWS, {}, true);
    expect(wholeScans(plan)).toEqual([]);
    expect(plan.scans.some((scan) => scan['Index Name'] === 'finding_history_ended')).toBe(true);
  });
});

const ASSET_FILTERS: [string, Record<string, string>, Record<string, string>?][] = [
  ['none', {}],
  ['the beginning of a name', { name: 'HOST77' }],
  ['a name that none has', { name: 'zz' }],
  ['the beginning of a name in two forms', { name: 'é' }],
  ['a common type', { type: 'Server' }],
  ['a rare type', { type: 'Mainframe' }],
  ['a rare attack surface', { attackSurface: 'Edge' }],
  ['a rare department', { department: 'Legal' }],
  ['a rare location', { location: 'Oslo' }],
  ['a rare criticality', { criticality: 'critical' }],
  ['a rare source', { source: 'Rare' }],
  ['a custom field', {}, { team: 'red' }],
  ['q of one', { q: 'host77.corp' }],
  ['q of a network', { q: '10.7' }],
  ['q of all', { q: 'corp.example' }],
  ['a score', { scored: 'true' }],
  ['no score', { scored: 'false' }],
  ['common values', { type: 'Server', department: 'IT', location: 'Berlin', source: 'Scanner' }],
];

describe('lists of assets', () => {
  const list = (filter: object, customFields: Record<string, string>, sort?: string, after?: string) => () =>
    new AssetsRepository(db, db).list(
      { rows: ALL_ROWS, filter, customFields },
      listOrder(ASSET_SORTS, ASSET_NUMBERS, { sort, cursor: after }),
      LIMIT,
    );

  it.each(ASSET_FILTERS)('%s: by an index, and a few rows', async (_, filter, customFields = {}) => {
    const plan = await explain(list(filter, customFields));
    expect(wholeScans(plan)).toEqual([]);
    expect(plan.rows).toBeLessThanOrEqual(ASSETS / 4);
  });

  it.each(Object.keys(ASSET_SORTS).flatMap((key) => [key, `-${key}`]))(
    'sorted by %s: by an index, wherever the page lies',
    async (sort) => {
      const key = { name: 'host5', updatedAt: String(T0 + 5_000), criticality: '2', score: '5000' };
      const after = cursor(sort, key[sort.replace('-', '') as keyof typeof key], 5_000);
      for (const page of [undefined, after]) {
        const plan = await explain(list({}, {}, sort, page));
        expect(wholeScans(plan)).toEqual([]);
        expect(plan.rows).toBeLessThanOrEqual(ASSETS / 4);
      }
    },
  );
});

describe('counts of assets', () => {
  it.each(ASSET_FILTERS.filter(([name]) => /rare|custom|of one/.test(name)))(
    '%s: by an index',
    async (_, filter, customFields = {}) => {
      const plan = await explain(() =>
        new AssetCountsRepository(db).count({ rows: ALL_ROWS, filter, customFields }),
      );
      expect(wholeScans(plan)).toEqual([]);
    },
  );
});

/** As of a caller that is limited to a rare department, to a common one, and to both kinds. */
const LIMITS: [string, RowLimits][] = [
  ['a rare department', { departments: ['Legal'], locations: null }],
  ['a common department', { departments: ['IT'], locations: null }],
  ['departments and locations', { departments: ['IT', 'Legal'], locations: ['Berlin', 'Oslo'] }],
];

describe('of a limited caller', () => {
  it.each(LIMITS)('%s: assets are found by an index', async (_, rows) => {
    for (const sort of [undefined, ...Object.keys(ASSET_SORTS)]) {
      const plan = await explain(() =>
        new AssetsRepository(db, db).list(
          { rows, filter: {}, customFields: {} },
          listOrder(ASSET_SORTS, ASSET_NUMBERS, { sort, cursor: undefined }),
          LIMIT,
        ),
      );
      expect([sort, wholeScans(plan)]).toEqual([sort, []]);
      expect(plan.rows).toBeLessThanOrEqual(ASSETS);
    }
  });

  it.each(LIMITS)('%s: findings are found by an index', async (_, rows) => {
    for (const sort of [undefined, ...Object.keys(FINDING_SORTS)]) {
      const plan = await explain(() =>
        new FindingsRepository(db, db, NOTHING_SEALED).list(
          bySla({}),
          rows,
          NOW,
          listOrder(FINDING_SORTS, FINDING_NUMBERS, { sort, cursor: undefined }),
          LIMIT,
        ),
      );
      expect([sort, wholeScans(plan).filter((table) => table !== 'assets')]).toEqual([sort, []]);
    }
  });

  it.each(LIMITS)('%s: findings are counted without the wide rows of all', async (_, rows) => {
    const plan = await explain(() => new FindingCountsRepository(db, db).count(bySla({}), rows, NOW));
    expect(wholeScans(plan).filter((table) => table !== 'assets')).toEqual([]);
  });
});

it('entities of a batch are found by the index of their keys', async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `machine:${1 + i * 97}`);
  const { scans } = await explain(() => readEntities(db, keys));
  const ofAssets = scans.filter((scan) => scan['Relation Name'] === 'assets');
  expect(ofAssets).toMatchObject([{ 'Node Type': 'Bitmap Heap Scan', 'Actual Rows': keys.length }]);
});
