import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { GoneException } from '@nestjs/common';
import fc from 'fast-check';
import { FINDING_TYPES, type FindingType, type HistoryTrimmed, type ObservedInstance } from '#libs/domain';
import { readSubjects } from '#libs/scores';
import { ALL_ROWS } from '#libs/tables';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { foldInto, foldOn, readersOf } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { PARTITIONS } from '../../../../test/support/opened-log.ts';
import {
  DAY_MS,
  event,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { threatHistories } from '../../../../test/support/threat-histories.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { FINDING_NUMBERS } from '../findings/finding-sorts.ts';
import { FindingsAsOfRepository } from '../findings/findings-as-of.repository.ts';
import { findingSortsAt } from '../findings/past-finding-sql.ts';
import { type PastRead, SHORT_READ, UNHURRIED } from '../paging/past-reads.ts';
import { ownOrder } from '../paging/sort.ts';

let whole: TestDatabase;
let trimmed: TestDatabase;
beforeAll(async () => {
  whole = await testDatabase();
  trimmed = await testDatabase();
});
afterAll(async () => {
  await whole.drop();
  await trimmed.drop();
});

const LATER = T0 + 10_000 * DAY_MS;

/** What the edge appends after a log, in one or two windows for each partition and type. */
async function trimsAfter(events: LoggedEvent[], before: number, middle: number): Promise<LoggedEvent[]> {
  const clock = Math.max(before, ...events.map(({ event: { envelope } }) => envelope.at));
  const { rows } = await whole.pool.query(
    'select partition, max(sequence) filter (where at <= $1) as end from finding_history group by partition',
    [new Date(before)],
  );
  return rows
    .filter(({ end }) => end !== null)
    .flatMap(({ partition, end }) =>
      FINDING_TYPES.flatMap((findingType) =>
        [Math.floor(Number(end) * middle), Number(end)].map((throughSequence) => {
          const payload: HistoryTrimmed = { type: 'HistoryTrimmed', findingType, before, throughSequence };
          return { partition, event: event(payload, clock, {}, { entityKey: `log:${partition}` }) };
        }),
      ),
    );
}

async function findingsAt({ db }: TestDatabase, asOf: number) {
  const { findings } = readersOf({ db }, LATER);
  return (await findings.list({ limit: 500, asOf }, ALL_ROWS, UNHURRIED)).items;
}

/** With the past of detections and controls that posture-2 requires. */
async function subjectsAt({ db }: TestDatabase, at: number) {
  const found = [];
  for await (const { subjects } of readSubjects(db, {}, { at, isPast: true }, { withPast: true }))
    found.push(...subjects);
  return found.map(({ assetNo, findings }) => [assetNo, findings]);
}

const riskAt = async ({ pool }: TestDatabase, at: number) =>
  (
    await pool.query(
      `select asset_no, score, likelihood, likelihood_best, model from score_history
        where valid_from <= $1 and (valid_to is null or valid_to > $1) order by asset_no`,
      [new Date(at)],
    )
  ).rows;

const numberOf = async (query: string, { pool } = trimmed): Promise<number> =>
  Number((await pool.query(query)).rows[0].n);

const percent = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);

it('every read from the boundary on gives the same with and without the trimmed history, earlier ones say so (R-RET-2)', async () => {
  let removedInAll = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 1, arbitrary: histories }, { weight: 2, arbitrary: threatHistories }),
      percent,
      percent,
      fc.array(percent, { minLength: 3, maxLength: 3 }),
      async (events, share, middle, later) => {
        const times = events.map(({ event: { envelope } }) => envelope.at);
        const [first, last] = [Math.min(...times), Math.max(...times)];
        const before = Math.round(first + share * (last - first));
        for (const database of [whole, trimmed]) {
          await foldInto(database, events);
          await emptyScored(database);
          await scoreAll(database, PARTITIONS, last + DAY_MS);
        }
        await foldOn(trimmed, [...events, ...(await trimsAfter(events, before, middle))]);
        const removed = await numberOf('select coalesce(sum(removed), 0) as n from history_trims');
        expect(await numberOf('select count(*) as n from finding_history', whole)).toBe(
          removed + (await numberOf('select count(*) as n from finding_history')),
        );
        expect(await numberOf('select coalesce(sum(changes), 0) as n from history_summaries')).toBe(removed);
        removedInAll += removed;
        // As after an import that names an earlier instant: scores of before the boundary stay.
        await trimmed.pool.query(
          'insert into rescorings (partition, asset_no, since) select partition, asset_no, $1 from assets',
          [new Date(first)],
        );
        await scoreAll(trimmed, PARTITIONS, last + DAY_MS);
        for (const instant of [before, ...later.map((by) => Math.round(before + by * (last - before)))]) {
          expect(await findingsAt(trimmed, instant)).toEqual(await findingsAt(whole, instant));
          expect(await subjectsAt(trimmed, instant)).toEqual(await subjectsAt(whole, instant));
          expect(await riskAt(trimmed, instant)).toEqual(await riskAt(whole, instant));
        }
        for (const at of times) expect(await riskAt(trimmed, at)).toEqual(await riskAt(whole, at));
        const earlier = findingsAt(trimmed, before - 1);
        if (removed > 0) await expect(earlier).rejects.toThrow(GoneException);
        else expect(await earlier).toEqual(await findingsAt(whole, before - 1));
      },
    ),
    { numRuns: runs(40) },
  );
  expect(removedInAll).toBeGreaterThan(0);
}, 180_000);

type Change = Pick<ObservedInstance, 'status' | 'workflowStatus'> & { revoked?: boolean };

/** A finding that changes once a day, and is trimmed up to its last change. */
async function trimmedFinding(type: FindingType, changes: Change[]): Promise<unknown> {
  const events = changes.flatMap((change, day) => {
    const { status, workflowStatus } = change;
    const one = { ...instance(status, { workflowStatus }), techniques: ['T1190'], evidence: `day ${day}` };
    const { revoked = false } = change;
    const observed = signal(type, change.status, { observations: [observation(type, [one])], revoked });
    return upload(day + 1, T0 + day * DAY_MS, [observed]).map((logged) => ({ partition: 0, event: logged }));
  });
  const before = T0 + changes.length * DAY_MS;
  await foldInto(whole, events);
  await foldInto(trimmed, [...events, ...(await trimsAfter(events, before, 0))]);
  const [[, findings]] = (await subjectsAt(trimmed, before)) as [[number, unknown]];
  expect(findings).toEqual((await subjectsAt(whole, before))[0]![1]);
  return numberOf('select coalesce(sum(removed), 0) as n from history_trims');
}

const passed: Change = { status: 'pass', workflowStatus: null };
const failed: Change = { status: 'fail', workflowStatus: null };
const unknown: Change = { status: 'unknown', workflowStatus: null };
/** Of a control that was not assessed: the verdict is that of an earlier change. */
const revoked: Change = { ...unknown, revoked: true };
const closed: Change = { status: 'fail', workflowStatus: 'ignored' };

it.each<[string, FindingType, Change[], number]>([
  ['a vulnerability', 'va', [failed, passed, unknown, unknown], 3],
  ['a control that is assessed', 'ca', [failed, passed, failed], 2],
  ['a control that is not assessed any more', 'ca', [failed, failed, passed, unknown, unknown], 2],
  ['a user control that is not assessed any more', 'uba', [failed, failed, passed, unknown, unknown], 2],
  ['a control that is retired, and was not assessed', 'ca', [failed, failed, unknown, revoked], 1],
  ['a user control that is retired, and was not assessed', 'uba', [failed, failed, unknown, revoked], 1],
  ['an open detection', 'edr', [failed, failed, failed], 2],
  ['a detection that passed', 'edr', [failed, failed, { ...closed, status: 'pass' }], 2],
  ['a detection that was closed', 'edr', [failed, failed, closed, closed], 1],
])(
  'of %s, the changes that its score does not depend on are removed (R-RET-3)',
  async (_, type, changes, removed) => {
    expect(await trimmedFinding(type, changes)).toBe(removed);
  },
);

const ORDER = ownOrder(FINDING_NUMBERS, null);
const SORTED = { ...ORDER, key: findingSortsAt(T0, null).severity };

it.each<[string, (findings: FindingsAsOfRepository, read: PastRead) => Promise<unknown>]>([
  ['list', (findings, read) => findings.list({}, ALL_ROWS, T0, ORDER, 10, read)],
  ['sorted list', (findings, read) => findings.list({}, ALL_ROWS, T0, SORTED, 10, read)],
  ['sorted page', (findings, read) => findings.sortedPages({}, ALL_ROWS, T0, SORTED, 10, read).next()],
  ['count', (findings, read) => findings.count({}, ALL_ROWS, T0, read)],
  ['count of techniques', (findings, read) => findings.countTechniques({}, ALL_ROWS, T0, read, ['T1190'])],
  ['group', (findings, read) => findings.group('asset', {}, ALL_ROWS, T0, read, 10)],
  [
    'count by asset',
    async (_, read) => {
      const assetNo = await numberOf('select asset_no as n from assets');
      return new AssetsAsOfRepository(trimmed.db).counts([assetNo], T0, read);
    },
  ],
])('a %s of findings during which the history is trimmed says so (R-RET-5)', async (_, readPast) => {
  const observed = (day: number) =>
    upload(day + 1, T0 + day * DAY_MS, [
      signal('open port', 'fail', {
        observations: [
          observation('va', [{ ...instance('fail'), techniques: ['T1190'], evidence: `${day}` }]),
        ],
      }),
    ]);
  const events = [...observed(0), ...observed(1)].map((logged) => ({ partition: 0, event: logged }));
  await foldInto(whole, events);
  await foldInto(trimmed, events);
  const trims = await trimsAfter(events, T0 + 2 * DAY_MS, 0);
  const step = () => foldOn(trimmed, [...events, ...trims]);
  await expect(readPast(new FindingsAsOfRepository(trimmed.db), { ...SHORT_READ, step })).rejects.toThrow(
    GoneException,
  );
});
