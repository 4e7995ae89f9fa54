import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogueTimeline } from '#libs/catalogue-store';
import {
  assetId,
  choiceAt,
  DEFAULT_CHOICE,
  type Finding,
  type InstanceStatus,
  type IntakePayload,
  isScoringModel,
  type ObservedInstance,
  ORGANIZATION_KEY,
  posture2,
  type ScoringChoice,
  type StoredRisk,
  storedRisk,
} from '#libs/domain';
import { catalogueRows, insertCatalogue } from '../../../../test/fixtures/scores/catalogue-rows.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { expectConsistent } from '../../../../test/fixtures/scores/stored-scores.ts';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import type { LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import type { MemoryLog } from '../../../../test/support/memory-log.ts';
import {
  liveAssetsAt,
  memoryLogOf,
  OPENED,
  openings,
  openingsOf,
  PARTITIONS,
} from '../../../../test/support/opened-log.ts';
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
import { THREATENED_HOSTS, threatHistories } from '../../../../test/support/threat-histories.ts';
import { readChoices } from '../choices/read-choices.ts';
import { readSubjects } from '../subjects/index.ts';
import { RISK_COLUMNS, riskOfColumns } from '../sums/risk-columns.ts';
import { addScoreSums, EMPTY_SCORE_SUMS, type ScoreSums, scoreSumsOf } from '../sums/score-sums.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Reports all that had ended by that time. */
const sweeps = (at: number): LoggedEvent[] =>
  THREATENED_HOSTS.map((host, n) => ({
    partition: n % PARTITIONS,
    event: event({ type: 'EntitySwept', deleteIdleSince: null }, at, {}, { entityKey: `machine:${host}` }),
  }));

const lastAt = (events: LoggedEvent[]) => Math.max(...events.map((one) => one.event.envelope.at));

const score = (now: number) => scoreAll(database, PARTITIONS, now);

interface Change {
  at: number;
  finding: Finding;
}

/** All changes of each finding, by its id. */
async function changesOfFindings(): Promise<Map<string, Change[]>> {
  const { rows } = await database.pool.query(
    'select at, body as finding from finding_history order by partition, sequence',
  );
  const changes = new Map<string, Change[]>();
  for (const { at, finding } of rows) {
    changes.set(finding.id, [...(changes.get(finding.id) ?? []), { at, finding }]);
  }
  return changes;
}

/** Looks back from an instant, change by change. */
function pastAt(changes: Change[], at: number): posture2.FindingPast {
  const back = changes.filter((change) => change.at <= at).reverse();
  const verdict = back.map(verdictOf).find((one) => one !== null);
  const stateSince = (key: string) => {
    let since: number | null = null;
    let present: boolean | null = null;
    for (const change of back) {
      const one = change.finding.instances.find((other) => other.key === key);
      if (!one?.counted || one.status !== 'fail') break;
      const isDone = ['resolved', 'ignored'].includes(posture2.detectionState(one));
      if (present !== null && isDone !== present) break;
      present = isDone;
      since = change.at;
    }
    return since;
  };
  return { verdict: verdict === 'passed' || verdict === 'failed' ? verdict : null, stateSince };
}

/** `none` ends the search; null is no verdict. */
function verdictOf({ finding: { state, retiredReason, instances } }: Change) {
  if (retiredReason === 'assetDeleted') return 'none';
  if (state === 'Qualified') return 'passed';
  if (state === 'Failed' || state === 'AcceptedFailed') return 'failed';
  if (state === 'NotAssessed' || instances.every(({ status }) => status === 'unknown')) return null;
  return instances.some(({ counted, status }) => counted && status === 'fail') ? 'failed' : 'passed';
}

async function chosenAt(at: number): Promise<ScoringChoice> {
  const { rows } = await database.pool.query(
    `select detail -> 'after' ->> 'scoringModel' as model, detail -> 'after' -> 'incidentRates' as rates from acts
     where action = 'log.opened' or (action = 'settings.changed' and at <= $1) order by log_offset`,
    [new Date(at).toISOString()],
  );
  let { model, incidentRates } = DEFAULT_CHOICE;
  for (const row of rows) {
    if (row.model !== null && isScoringModel(row.model)) model = row.model;
    if (row.rates !== null) incidentRates = row.rates;
  }
  return { model, incidentRates };
}

/** The result of the model in force at an instant, from the log, the catalogues and the changes of findings. */
async function recomputed(
  log: MemoryLog,
  catalogue: CatalogueTimeline,
  changes: Map<string, Change[]>,
  at: number,
) {
  const choice = await chosenAt(at);
  const risks = new Map<string, StoredRisk>();
  for (const { asset, findings } of await liveAssetsAt(log, at)) {
    const assessed = [...findings.values()].map(({ finding, seen }) =>
      posture2.assessedFindingOf(finding, seen, pastAt(changes.get(finding.id) ?? [], at)),
    );
    const subject = { asset: posture2.threatenedAssetOf(asset), findings: assessed };
    risks.set(asset.id, storedRisk(choice, subject, catalogue.at(at), at));
  }
  return risks;
}

async function storedAt(at: number): Promise<Map<string, StoredRisk>> {
  const { rows } = await database.pool.query(
    `select a.id, ${RISK_COLUMNS.compile(database.db).sql} from score_history h join assets a using (asset_no)
     where h.valid_from <= $1 and h.valid_to > $1`,
    [new Date(at).toISOString()],
  );
  return new Map(rows.map(({ id, ...columns }) => [id, riskOfColumns(columns)]));
}

type Told = IntakePayload & { after?: number };

/** The selection of posture-2, and events of the only asset, each some days after `T0`. */
function eventsOf(told: Told[]): LoggedEvent[] {
  const chosen = {
    type: 'SettingsChanged',
    seenVersion: null,
    changes: { scoringModel: '"posture-2"' },
  } as const;
  return [
    { partition: 0, event: event(chosen, T0 - 1, {}, { entityKey: ORGANIZATION_KEY }) },
    ...told.map(({ after = 0, ...payload }, n) => {
      const at = T0 + after * DAY_MS;
      const cause = { uploadId: uploadId(n + 1), receivedAt: at };
      return { partition: 0, event: event(payload as IntakePayload, at, cause) };
    }),
  ];
}

async function steps(until: number, ...told: Told[]) {
  await emptyFolded(database);
  await emptyScored(database);
  await foldOn(database, [...eventsOf(told), ...sweeps(T0 + until * DAY_MS).slice(0, 1)]);
  await score(T0 + until * DAY_MS);
  return storedSteps();
}

/** Scores of the only asset, from its beginning on: the best hazard in 10⁻¹⁰, and since when. */
async function storedSteps() {
  const { rows } = await database.pool.query(
    'select valid_from as from, score, forecast::text as forecast, evidence_best::text as evidence from score_history order by 1',
  );
  return rows.map(({ from, ...row }) => ({ day: (from - T0) / DAY_MS, ...row }));
}

const hole = signal('hole', 'fail', {
  observations: [observation('va', [instance('fail', { cves: ['CVE-2021-44228'] })])],
});
const control = (status: InstanceStatus, after: number, expiresAfter = 300) => ({
  ...signal('control', status, {
    expiresAt: T0 + expiresAfter * DAY_MS,
    observations: [observation('ca', [instance(status, { techniques: ['T1190'] })])],
  }),
  after,
});
const detection = (after: number, given: Partial<ObservedInstance>) => ({
  ...signal('detection', 'fail', {
    observations: [observation('edr', [instance('fail', { techniques: ['T1486'], ...given })])],
  }),
  after,
});
const closed = { workflowStatus: 'Closed', tags: { 'detection-tags': ['true_positive'] } };

describe('the past of findings', () => {
  it('keeps the pass of a control that is not assessed afterwards, and that expires', async () => {
    const rows = await steps(30, hole, control('fail', 1), control('pass', 2), control('unknown', 3, 10));
    const hazards = rows.map(({ day, forecast }) => [day, Math.round(Math.sqrt(forecast))]);
    // 12219 × 1.4, with the failed control as a weakness of its own, then × 0.7. Nothing changes on days 3 and 10.
    expect(hazards).toEqual([
      [0, 12219],
      [1, 29829],
      [2, 8553],
    ]);
  });

  it('is scored with the management of the asset by an EDR platform, from its beginning to its end', async () => {
    const rows = await steps(
      30,
      { ...described({ isEdrManaged: true }), after: 0 },
      { ...hole, after: 1 },
      { type: 'EdrManagementEnded', assetId: assetId('machine:web01'), source: 'inventory', after: 2 },
      { ...described({ isEdrManaged: true }), after: 4 },
    );
    // 12219 × 0.6.
    expect(rows.map(({ day, forecast }) => [day, Math.round(Math.sqrt(forecast))])).toEqual([
      [0, 0],
      [1, 7331],
      [2, 12219],
      [4, 7331],
    ]);
  });

  it('begins the age of a detection with the change that closed it', async () => {
    const rows = await steps(
      20,
      detection(0, {}),
      detection(1, closed),
      detection(5, { ...closed, evidence: 'a note', tags: { ...closed.tags, owner: ['ana'] } }),
    );
    expect(rows.map(({ day }) => day)).toEqual([0, 8, 15]);
    expect(rows.map(({ evidence }) => Math.round(Math.sqrt(evidence)))).toEqual([
      1_625_189_295,
      Math.round((1_625_189_295 * 707_107) / 1e6),
      Math.round(1_625_189_295 * 0.5),
    ]);
  });

  it('does not begin the age again if the verdict on a closed detection changes', async () => {
    const ignored = { workflowStatus: 'Closed', tags: { 'detection-tags': ['ignored'] } };
    const rows = await steps(90, detection(0, {}), detection(1, closed), detection(86, ignored));
    expect(rows.at(-1)).toMatchObject({ day: 85, evidence: '0' });
  });

  it('ends with the asset', async () => {
    const deleted = {
      type: 'AssetDeleted',
      assetId: assetId('machine:web01'),
      seenVersion: null,
      after: 2,
    } as const;
    const rows = await steps(30, hole, control('pass', 1), deleted, { ...hole, after: 3 });
    expect(rows.map(({ day, forecast }) => [day, Math.round(Math.sqrt(forecast))])).toEqual([
      [0, 12219],
      [1, 8553],
      [3, 12219],
    ]);
  });
});

describe('an age that begins before the change of another finding', () => {
  const first = eventsOf([detection(0, {}), detection(1, closed)]);
  const all = eventsOf([detection(0, {}), detection(1, closed), { ...hole, after: 8.25 }]);
  beforeEach(async () => {
    await emptyFolded(database);
    await emptyScored(database);
    await foldOn(database, first);
    await score(T0 + 2 * DAY_MS);
    await foldOn(database, all);
  });
  const days = async () => (await storedSteps()).map(({ day }) => day);

  it('begins in the history if more assets are due before it than a batch takes', async () => {
    await database.pool.query(
      `insert into asset_scores (asset_no, partition, model, scored_at, due_at, due_from)
       select -n, 0, 'posture-2', $1, $1, $1 from generate_series(1, 500) n`,
      [new Date(T0 + 3 * DAY_MS).toISOString()],
    );
    await score(T0 + 9 * DAY_MS);
    expect(await days()).toEqual([0, 8, 8.25]);
  });

  it('begins in the history if the clock of the scorer is behind', async () => {
    await score(T0 + 8 * DAY_MS - 1);
    expect(await days()).toEqual([0, 8, 8.25]);
  });
});

describe('scores that a version stored before a model that was not released was corrected', () => {
  it('are computed again from the first selection of the model on, the past too', async () => {
    const before = await steps(20, hole, control('pass', 1), control('fail', 9));
    await database.pool.query(
      `update score_history set forecast = 1, score = 1 where valid_to < 'infinity';
       update scored_partitions set decisions_version = 4`,
    );
    await score(T0 + 21 * DAY_MS);
    expect(await storedSteps()).toEqual(before);
    await expectConsistent(database);
  });
});

async function modelsOfRows(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'select model, valid_from from score_history order by valid_from',
  );
  return rows;
}

async function storedRows(): Promise<unknown[]> {
  const { rows } = await database.pool.query('select * from score_history order by asset_no, valid_from');
  return rows;
}

/** As the services of the gateway compute it. */
async function readAt(at: number): Promise<Map<string, StoredRisk>> {
  const choice = choiceAt(await readChoices(database.db), at);
  const risks = new Map<string, StoredRisk>();
  const instant = { at, isPast: true };
  for await (const { subjects, catalogues } of readSubjects(database.db, {}, instant, { withPast: true })) {
    for (const one of subjects) risks.set(one.asset.id, storedRisk(choice, one, catalogues.at(at), at));
  }
  return risks;
}

const cases = fc.record({
  opened: fc.constantFrom(openings, openingsOf('posture-2')),
  events: threatHistories,
  catalogue: catalogueRows,
  cuts: fc.array(fc.nat({ max: 99 }), { maxLength: 3 }),
  /** How far the scorer's clock is ahead of the log's at each cut; negative: behind. */
  ahead: fc.constantFrom(0, 1_000, 10 * DAY_MS, -1_000, -2 * DAY_MS),
  picks: fc.array(fc.nat({ max: 999 }), { minLength: 30, maxLength: 30 }),
});

describe('the stored scores of the model in force', () => {
  it('follow at every instant from the log and the catalogues, across switches of models (property)', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ opened, events, catalogue, cuts, ahead, picks }) => {
        await emptyFolded(database);
        await emptyScored(database);
        await insertCatalogue(database, catalogue);
        const all = [...opened, ...events];
        for (const cut of cuts.sort((a, b) => a - b)) {
          const until = all.slice(0, opened.length + Math.floor((cut / 100) * events.length));
          await foldOn(database, until);
          await score(lastAt(until) + ahead);
        }
        const end = lastAt(all) + 30 * DAY_MS;
        const whole = [...all, ...sweeps(end)];
        await foldOn(database, whole);
        await database.pool.query(
          `insert into rescorings (partition, asset_no, since) select partition, asset_no, 'epoch' from assets
           where $1 on conflict do nothing`,
          [catalogue.length > 0],
        );
        await score(end);

        const log = await memoryLogOf(whole);
        const timeline = new CatalogueTimeline(catalogue);
        const changes = await changesOfFindings();
        const edges = [
          ...whole.map((one) => one.event.envelope.at),
          ...whole.flatMap(({ event: { envelope, payload } }) =>
            payload.type === 'SignalReceived'
              ? [
                  payload.expiresAt,
                  payload.retainUntil,
                  ...[7, 14, 70, 84].map((d) => envelope.at + d * DAY_MS),
                ]
              : [],
          ),
        ].filter((at) => at <= end);
        for (const pick of picks) {
          const at = edges[pick % edges.length]! - (pick % 3 === 0 ? 1 : 0);
          const stored = await storedAt(at);
          expect(stored).toEqual(await recomputed(log, timeline, changes, at));
          expect(await readAt(at)).toEqual(stored);
        }
        await expectConsistent(database);
        // As after a replay.
        const written = await storedRows();
        await database.pool.query('update scored_partitions set asset_sequence = 0, finding_sequence = 0');
        await score(end);
        expect(await storedRows()).toEqual(written);
      }),
      { numRuns: runs(60) },
    );
  }, 240_000);
});

/** Of every asset and every group, by name: points, and expected compromised assets. */
async function scoresNow(): Promise<Map<string, { score: number; compromised: number }>> {
  const { incidentRates } = choiceAt(await readChoices(database.db), Number.POSITIVE_INFINITY);
  const targeting = posture2.targetingOf(incidentRates);
  const { rows: open } = await database.pool.query(
    `select a.name, ${RISK_COLUMNS.compile(database.db).sql}, h.type, h.attack_surface, h.department, h.location
     from score_history h join assets a using (asset_no) where h.valid_to = 'infinity'`,
  );
  const sums = new Map<string, ScoreSums>();
  for (const { name, type, attack_surface, department, location, ...columns } of open) {
    const own = scoreSumsOf(riskOfColumns(columns));
    for (const group of ['organization', `asset ${name}`, type, attack_surface, department, location]) {
      sums.set(group, addScoreSums(sums.get(group) ?? EMPTY_SCORE_SUMS, own));
    }
  }
  return new Map(
    [...sums].map(([group, of]) => {
      const { score, expectedCompromised } = posture2.groupRisk(of, targeting);
      return [group, { score: score ?? 0, compromised: expectedCompromised?.high ?? 0 }];
    }),
  );
}

const passOf = ({ type, name, instances }: Finding) =>
  signal(name, 'pass', {
    expiresAt: T0 + 9_999 * DAY_MS,
    retainUntil: T0 + 9_999 * DAY_MS,
    observations: [
      observation(
        type,
        instances.map((one) => ({ ...one, status: 'pass' as const })),
      ),
    ],
  });

describe('the model that the opening of the log states', () => {
  it('scores from ever on, also assets that were scored before the opening was folded', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const [ofOrganization, other] = openingsOf('posture-2');
    const seen = event(hole, OPENED - DAY_MS, { uploadId: uploadId(1), receivedAt: T0 });
    const events = [other!, { partition: 1, event: seen }];
    await foldOn(database, events);
    await score(T0);
    expect(await modelsOfRows()).toEqual([{ model: 'posture-1', valid_from: OPENED }]);
    await foldOn(database, [...events, ofOrganization!]);
    await score(T0);
    expect(await modelsOfRows()).toEqual([{ model: 'posture-2', valid_from: OPENED }]);
    await expectConsistent(database);
  });
});

describe('a selection that a clock dated ahead', () => {
  it('is in force from the correction of the clock on, and leaves no score in the future', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const chosen = {
      type: 'SettingsChanged',
      seenVersion: null,
      changes: { scoringModel: '"posture-2"' },
    } as const;
    const corrected = { type: 'ClockCorrected', reason: 'the time server was wrong' } as const;
    const [ahead, now] = [T0 + 100 * DAY_MS, T0 + DAY_MS];
    const events = [
      { partition: 0, event: event(hole, T0, { uploadId: uploadId(1), receivedAt: T0 }) },
      { partition: 0, event: event(chosen, ahead, {}, { entityKey: ORGANIZATION_KEY }) },
    ];
    await foldOn(database, events);
    await score(now);
    const correction = { partition: 0, event: event(corrected, now, {}, { entityKey: 'log:0' }) };
    await foldOn(database, [...events, correction]);
    await score(now);
    expect(await modelsOfRows()).toEqual([
      { model: 'posture-1', valid_from: T0 },
      { model: 'posture-2', valid_from: now },
    ]);
    await expectConsistent(database);
  });
});

describe('a fix', () => {
  it('raises no stored score of an asset, a group or the organization (property)', async () => {
    const fixed = fc.record({ events: threatHistories, catalogue: catalogueRows, pick: fc.nat(99) });
    await fc.assert(
      fc.asyncProperty(fixed, async ({ events, catalogue, pick }) => {
        await emptyFolded(database);
        await emptyScored(database);
        await insertCatalogue(database, catalogue);
        const at = lastAt(events);
        const chosen = {
          type: 'SettingsChanged',
          seenVersion: null,
          changes: { scoringModel: '"posture-2"' },
        } as const;
        const all = [
          ...openings,
          ...events,
          { partition: 0, event: event(chosen, at, {}, { entityKey: ORGANIZATION_KEY }) },
        ];
        await foldOn(database, all);
        await score(at);
        const { rows } = await database.pool.query(
          `select f.body as finding, a.name as host, f.partition from findings f join assets a using (asset_no)
           where f.state = 'Failed' order by f.id`,
        );
        if (rows.length === 0) return;
        const { finding, host, partition } = rows[pick % rows.length];
        const before = await scoresNow();
        const cause = { uploadId: uploadId(999), receivedAt: at + 1 };
        const payload = { ...passOf(finding), entity: entity({ name: host }) };
        const pass = event(payload, at + 1, cause, { entityKey: `machine:${host}` });
        await foldOn(database, [...all, { partition, event: pass }]);
        await score(at + 1);
        const after = await scoresNow();
        for (const [group, { score, compromised }] of after) {
          expect([group, score <= before.get(group)!.score]).toEqual([group, true]);
          expect([group, compromised <= before.get(group)!.compromised]).toEqual([group, true]);
        }
        await expectConsistent(database);
      }),
      { numRuns: runs(100) },
    );
  }, 240_000);
});
