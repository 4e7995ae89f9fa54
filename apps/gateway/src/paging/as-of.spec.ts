import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BadRequestException } from '@nestjs/common';
import fc from 'fast-check';
import { assetId, findingId, type IntakeEvent, type IntakePayload } from '#libs/domain';
import { ALL_ROWS } from '#libs/tables';
import { SOME_OWNER_RULES } from '../../../../test/fixtures/domain/owner-rules.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { foldInto, readersOf, SOME_SLA } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { FILTERS, groupsOfList, withoutNames } from '../../../../test/support/listed-groups.ts';
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
import type { AssetFilter } from '../assets/asset-filter.pipe.ts';
import type { FindingItemDto, FindingsQuery } from '../findings/finding.dto.ts';
import { type FindingGroupsDto, GROUPINGS } from '../findings/finding-groups.dto.ts';
import { FindingsAsOfRepository } from '../findings/findings-as-of.repository.ts';
import { SHORT_READ, UNHURRIED } from './past-reads.ts';

let whole: TestDatabase;
let prefix: TestDatabase;
beforeAll(async () => {
  whole = await testDatabase();
  prefix = await testDatabase();
});
afterAll(async () => {
  await whole.drop();
  await prefix.drop();
});

const LATER = T0 + 10_000 * DAY_MS;

/** The longest prefix of each partition whose clock is not past the instant (R-HIST-2). */
function prefixUntil(events: LoggedEvent[], at: number): LoggedEvent[] {
  const isPast = new Set<number>();
  return events.filter(({ partition, event }) => {
    if (event.envelope.at > at) isPast.add(partition);
    return !isPast.has(partition);
  });
}

/** Folds into an empty database, and scores everything as of an instant. */
async function scoredInto(database: TestDatabase, events: LoggedEvent[], at: number): Promise<void> {
  await foldInto(database, events);
  await emptyScored(database);
  await scoreAll(database, PARTITIONS, at);
}

/** Right before, at and right after every event and due time, and at random. */
const instantsOf = (events: LoggedEvent[]) => {
  const times = events.flatMap(({ event: { envelope, payload } }) => [
    envelope.at,
    ...(payload.type === 'SignalReceived' ? [payload.expiresAt, payload.retainUntil] : []),
    ...(payload.type === 'FindingAccepted' ? [payload.until ?? T0] : []),
  ]);
  return fc.oneof(
    fc.tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1)).map(([time, by]) => time + by),
    fc.integer({ min: T0 - DAY_MS, max: Math.max(...times) + 30 * DAY_MS }),
  );
};

const cases = histories.chain((events) =>
  fc.record({
    events: fc.constant(events),
    instants: fc.array(instantsOf(events), { minLength: 4, maxLength: 4 }),
  }),
);

const FINDING_FILTERS: Partial<FindingsQuery>[] = [
  {},
  { state: 'Retired' },
  { state: 'Failed' },
  { type: 'edr', state: 'AcceptedFailed' },
  { severityMin: 7.1 },
  { severityMin: 7.2 },
  { cve: 'CVE-2021-44228' },
  { technique: 'T1059', state: 'Retired' },
  { source: 'agent' },
  { name: 'PORT' },
  { title: 'OPEN port' },
  { severity: ['high', 'low'] },
  { firstSeenAfter: T0 + DAY_MS },
  { firstSeenBefore: T0 + 3 * DAY_MS },
  { assignee: 'ana' },
  { assignee: 'blue', state: 'Failed' },
  { assigned: 'true', type: 'va' },
  { assigned: 'false' },
];

const ASSET_FILTERS: Omit<AssetFilter, 'page'>[] = [
  { filter: {}, customFields: {} },
  { filter: { name: 'WEB', type: 'Server', attackSurface: 'Infrastructure' }, customFields: {} },
  { filter: { department: 'Sales', location: 'Unassigned' }, customFields: {} },
  { filter: { department: 'Unassigned' }, customFields: {} },
  { filter: { criticality: 'high' }, customFields: {} },
  { filter: { source: 'inventory' }, customFields: {} },
  { filter: {}, customFields: { Owner: 'IT' } },
];

interface Paged<T> {
  items: T[];
  nextCursor: string | null;
}

async function allPages<T>(
  page: (query: { limit: number; cursor?: string }) => Promise<Paged<T>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const answer = await page({ limit: 3, ...(cursor !== undefined && { cursor }) });
    items.push(...answer.items);
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** When signals last updated the times of findings and assets, in the whole history. */
async function lastMoves(): Promise<Map<string, number>> {
  const { rows } = await whole.pool.query(
    `select f.id, s.seen_at as at from findings f join finding_seen s using (asset_no, finding_no)
      union all select a.id, s.last_seen from assets a join asset_seen s using (asset_no)`,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The answer of each reader for one finding of one host, between events of it. */
async function statesAt(events: IntakeEvent[], instants: number[]): Promise<string[]> {
  const logged = events.map((event) => ({ partition: 0, event }));
  await scoredInto(whole, logged, LATER);
  const moved = await lastMoves();
  const states: string[] = [];
  for (const asOf of instants) {
    await scoredInto(prefix, prefixUntil(logged, asOf), asOf);
    await expectSame(asOf, moved);
    const { items } = await readersOf(whole, LATER).findings.list(
      { limit: 1, asOf, state: 'Retired' },
      ALL_ROWS,
      UNHURRIED,
    );
    states.push(items[0] ? `${items[0].state} ${items[0].retiredReason}` : 'active');
  }
  return states;
}

const at = (days: number) => T0 + days * DAY_MS;
const seen = (n: number, days: number, expiresAt: number) =>
  upload(n, at(days), [signal('a', 'fail', { expiresAt, retainUntil: at(90) })]);

describe('expiry at an instant', () => {
  it('is that of the last resend until then, for any later signals', async () => {
    const events = [...seen(1, 0, at(10)), ...seen(2, 5, at(20)), ...seen(3, 30, at(60))];
    expect(await statesAt(events, [at(4), at(11), at(20) - 1, at(20), at(29), at(31), at(60)])).toEqual([
      'active',
      'active',
      'active',
      'Retired expired',
      'Retired expired',
      'active',
      'Retired expired',
    ]);
  });

  it('is enforced if the end of an acceptance is due with it', async () => {
    const accepted: IntakePayload = {
      type: 'FindingAccepted',
      findingId: findingId(assetId('machine:web01'), 'va', 'a'),
      seenVersion: null,
      rationale: 'known',
      until: at(5),
    };
    const events = [...seen(1, 0, at(10)), event(accepted, at(1)), ...seen(2, 30, at(60))];
    expect(await statesAt(events, [at(6), at(9), at(10), at(29), at(31)])).toEqual([
      'active',
      'active',
      'Retired expired',
      'Retired expired',
      'active',
    ]);
  });

  it('begins with the signal if a slow clock sent an expired one', async () => {
    const other = event(
      { type: 'EntitySwept', deleteIdleSince: null },
      at(20),
      {},
      { entityKey: 'machine:other' },
    );
    const events = [...seen(1, 0, at(50)), other, ...seen(2, 3, at(10)), ...seen(3, 30, at(60))];
    expect(await statesAt(events, [at(11), at(19), at(20), at(29), at(30)])).toEqual([
      'active',
      'active',
      'Retired expired',
      'Retired expired',
      'active',
    ]);
  });
});

describe('techniques as of an instant', () => {
  it('are counted up to a number, in memory (R-QRY-10)', async () => {
    const detected = (techniques: string[]) =>
      signal('rule', 'fail', { observations: [observation('edr', [instance('fail', { techniques })])] });
    await foldInto(
      whole,
      upload(1, T0, [detected(['T1059.001', 'vendor 1', 'vendor 2'])]).map((one) => ({
        partition: 0,
        event: one,
      })),
    );
    const count = (max: number) =>
      new FindingsAsOfRepository(whole.db).countTechniques(
        {},
        ALL_ROWS,
        T0,
        SHORT_READ,
        ['T1059', 'T1059.001'],
        max,
      );
    expect((await count(4)).map(({ id }) => id)).toEqual(['T1059', 'T1059.001', 'vendor 1', 'vendor 2']);
    await expect(count(3)).rejects.toThrow(BadRequestException);
  });
});

describe('as of an instant', () => {
  it('a reader gets the same answer as a reader at that time, with the log folded up to there', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, instants }) => {
        await scoredInto(whole, events, LATER);
        const moved = await lastMoves();
        for (const asOf of instants) {
          await scoredInto(prefix, prefixUntil(events, asOf), asOf);
          await expectSame(asOf, moved);
        }
      }),
      { numRuns: runs(40) },
    );
  }, 600_000);
});

/** A group has the name of its asset, or its title as a finding of that title has it, in whatever letters. */
function expectNamesOf({ by, groups }: FindingGroupsDto, listed: readonly FindingItemDto[]): void {
  for (const { key, name } of groups) {
    if (by === 'title') expect(name?.toLowerCase()).toBe(key);
    if (by === 'asset') expect(listed.find(({ assetId }) => assetId === key)?.assetName).toBe(name);
  }
}

async function expectSame(asOf: number, moved: Map<string, number>): Promise<void> {
  const inForce = { sla: SOME_SLA, ownerRules: SOME_OWNER_RULES };
  const [now, then] = [readersOf(whole, LATER, inForce), readersOf(prefix, asOf, inForce)];
  /** Values that a later signal has updated are unknown; all others are known. */
  const remembered = <T extends { id: string; lastSeen: string | null }>(item: T): T => {
    if (moved.get(item.id)! <= asOf) return item;
    const isFinding = 'expiresAt' in item;
    return { ...item, lastSeen: null, ...(isFinding && { expiresAt: null, overdueSince: null }) };
  };

  for (const filter of FINDING_FILTERS) {
    const expected = await allPages((page) =>
      then.findings.list({ ...filter, ...page }, ALL_ROWS, UNHURRIED),
    );
    const actual = await allPages((page) =>
      now.findings.list({ ...filter, ...page, asOf }, ALL_ROWS, UNHURRIED),
    );
    expect(actual).toEqual(expected.map(remembered));
    const counted = await then.findingCounts.count(filter, ALL_ROWS, UNHURRIED);
    expect(await now.findingCounts.count({ ...filter, asOf }, ALL_ROWS, UNHURRIED)).toEqual(counted);
    await expectSameGroups(filter, expected);
    if (Object.keys(filter).length <= 1) await expectSameOfEach(expected, asOf);
  }
  for (const filter of ASSET_FILTERS) {
    const expected = await allPages((page) => then.assets.list({ ...filter, page }, ALL_ROWS, UNHURRIED));
    const actual = await allPages((page) => now.assets.list({ ...filter, page, asOf }, ALL_ROWS, UNHURRIED));
    expect(actual).toEqual(expected.map(remembered));
    const counted = await then.assetCounts.count(filter, ALL_ROWS, UNHURRIED);
    expect(await now.assetCounts.count({ ...filter, asOf }, ALL_ROWS, UNHURRIED)).toEqual(counted);
  }
  for (const { id } of (await whole.pool.query('select id from assets')).rows) {
    const expected = await then.assets.get(id, {}, ALL_ROWS, UNHURRIED).then(remembered, String);
    expect(
      await now.assets
        .get(id, { asOf }, ALL_ROWS, UNHURRIED)
        .catch((error) => String(error).replace('had', 'has')),
    ).toEqual(expected);
  }

  /** Without a filter by each key; with one, only by its own or by one of them. */
  async function expectSameGroups(filter: Partial<FindingsQuery>, listed: FindingItemDto[]): Promise<void> {
    const own = GROUPINGS.filter((by) => FILTERS[by] in filter);
    const [some] = GROUPINGS.slice(FINDING_FILTERS.indexOf(filter) % GROUPINGS.length);
    const isAll = Object.keys(filter).length === 0;
    for (const by of isAll ? GROUPINGS : own.length > 0 ? own : [some!]) {
      const only = by === 'cve' || by === 'technique' ? filter[by] : undefined;
      const expected = groupsOfList(by, listed, 2, only);
      for (const [reader, instant] of [
        [then, {}],
        [now, { asOf }],
      ] as const) {
        const grouped = await reader.findingGroups.group(
          { ...filter, ...instant, by, limit: 2 },
          ALL_ROWS,
          UNHURRIED,
        );
        expect(withoutNames(grouped)).toEqual(expected);
        expectNamesOf(grouped, listed);
      }
    }
  }

  async function expectSameOfEach(items: FindingItemDto[], at: number): Promise<void> {
    for (const { id } of items.slice(0, 3)) {
      const expected = await then.findings.get(id, {}, ALL_ROWS);
      expect(await now.findings.get(id, { asOf: at }, ALL_ROWS)).toEqual(remembered(expected));
      const history = await allPages((page) => then.findings.history(id, page, ALL_ROWS));
      const past = await allPages((page) => now.findings.history(id, { ...page, asOf: at }, ALL_ROWS));
      expect(past).toEqual(history.map((item) => ({ ...item })));
    }
  }
}
