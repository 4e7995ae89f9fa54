import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CURRENT_RULES } from '#libs/domain';
import { BeforeLogError, foldedCorrections, knownAt, siteLog } from '#libs/replay';
import { ALL_ROWS } from '#libs/tables';
import { SOME_OWNER_RULES } from '../../../../test/fixtures/domain/owner-rules.ts';
import { foldInto, readersOf, SOME_SLA, UNHURRIED } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import type { MemoryLog } from '../../../../test/support/memory-log.ts';
import { memoryLogOf, OPENED, openings } from '../../../../test/support/opened-log.ts';
import { poisonedAndMended } from '../../../../test/support/poisoned-logs.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { type AsOfFilter, type AsOfLine, asOfLines } from './as-of-line.ts';

const LATER = T0 + 10_000 * DAY_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Right before, at and right after every event and due time, and at random. */
const instantsOf = (events: LoggedEvent[]) => {
  const times = events.flatMap(({ event: { envelope, payload } }) => [
    envelope.at,
    ...(payload.type === 'SignalReceived' ? [payload.expiresAt, payload.retainUntil] : []),
    ...(payload.type === 'FindingAccepted' ? [payload.until ?? T0] : []),
  ]);
  return fc.oneof(
    fc.tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1)).map(([time, by]) => time + by),
    fc.integer({ min: OPENED - DAY_MS, max: Math.max(...times) + 30 * DAY_MS }),
  );
};

const cases = histories.chain((events) =>
  fc.record({
    events: fc.constant<LoggedEvent[]>([...openings, ...events]),
    instants: fc.array(instantsOf(events), { minLength: 5, maxLength: 5 }),
  }),
);

async function known(log: MemoryLog, at: number, filter: AsOfFilter): Promise<AsOfLine[]> {
  const lines: AsOfLine[] = [];
  try {
    const site = await siteLog(log.port, () => foldedCorrections(database.db));
    for await (const { assets } of knownAt(site, at)) {
      lines.push(...asOfLines(assets, at, filter));
    }
  } catch (error) {
    if (!(error instanceof BeforeLogError)) throw error;
    expect(at).toBeLessThan(OPENED);
  }
  return lines;
}

interface Item {
  id: string;
  lastSeen: string | null;
}

/** The history lacks values that a later signal has updated; the log has them. */
function asTheHistoryKnows<T extends Item>(item: T, told: Item | undefined): T {
  if (told?.lastSeen !== null) return item;
  return { ...item, lastSeen: null, ...('expiresAt' in item && { expiresAt: null, overdueSince: null }) };
}

function expectSame(fromLog: Item[], told: Item[]): void {
  const byId = (a: Item, b: Item) => (a.id < b.id ? -1 : 1);
  const toldById = new Map(told.map((item) => [item.id, item]));
  expect(
    fromLog.map((item) => withoutScore(asTheHistoryKnows(item, toldById.get(item.id)))).sort(byId),
  ).toEqual(told.map(withoutSettings).map(withoutScore).sort(byId));
}

/** The fold of a partition does not know SLA and owner rules, only what users have chosen. */
function withoutSettings(item: Item): Item {
  const {
    owner: _,
    assignee,
    assigneeBy,
    due,
    dueBy,
    overdue,
    sla,
    ...known
  } = item as Item & Record<string, unknown>;
  return {
    ...known,
    ...(assigneeBy === 'user' && { assignee, assigneeBy }),
    ...(dueBy === 'user' && { due, dueBy, overdue, sla }),
  };
}

/** The log has no catalogues, so `as-of` shows neither score nor SSVC decision, neither EPSS nor KEV. */
function withoutScore({
  ssvc,
  epss,
  kev,
  ...item
}: Item & Partial<Record<'ssvc' | 'epss' | 'kev', unknown>>): Item {
  return { ...item, ...('score' in item && { score: null }) };
}

async function expectEqual(events: LoggedEvent[], instants: number[]): Promise<void> {
  await foldInto(database, events);
  const log = await memoryLogOf(events);
  const { assets, findings } = readersOf(database, LATER, { sla: SOME_SLA, ownerRules: SOME_OWNER_RULES });
  const ids = (await database.pool.query('select id from assets')).rows.map(({ id }) => id as string);
  for (const asOf of instants) {
    const page = { limit: 500, asOf };
    const lines = await known(log, asOf, {});
    const given = { filter: {}, customFields: {}, page: { limit: 500 }, asOf };
    const live = await assets.list(given, ALL_ROWS, UNHURRIED);
    expectSame(
      // Lists do not say what each source said.
      lines.map(({ asset: { statements: _, ...asset } }) => asset),
      live.items,
    );
    for (const id of ids) {
      const [line] = await known(log, asOf, { asset: id, retired: true });
      const answered = await assets.get(id, { asOf }, ALL_ROWS, UNHURRIED).catch(() => undefined);
      expectSame(line ? [line.asset] : [], answered ? [answered] : []);
      const active = await findings.list({ ...page, assetId: id }, ALL_ROWS, UNHURRIED);
      const retired = await findings.list({ ...page, assetId: id, state: 'Retired' }, ALL_ROWS, UNHURRIED);
      expectSame(line?.findings ?? [], [...active.items, ...retired.items]);
      const own = lines.find(({ asset }) => asset.id === id);
      if (own) expectSame(own.findings, active.items);
    }
  }
}

describe('the state at an instant from the log only', () => {
  it('equals the response of the service', async () => {
    await fc.assert(
      fc.asyncProperty(cases, ({ events, instants }) => expectEqual(events, instants)),
      { numRuns: runs(40) },
    );
  }, 180_000);

  it('equals the responses of the service also if a wrong clock poisoned the log, and it was mended', async () => {
    const poisoned = fc.tuple(histories, fc.constantFrom(2, CURRENT_RULES)).chain(([events, rules]) => {
      const made = poisonedAndMended(openings, events, 0.5, rules);
      return fc.record({
        events: fc.constant(made.mended),
        instants: fc
          .array(instantsOf(events), { minLength: 3, maxLength: 3 })
          .map((instants) => [
            ...instants,
            ...[-1, 0, 500, 1_000, DAY_MS].map((by) => made.correctedAt + by),
          ]),
      });
    });
    await fc.assert(
      fc.asyncProperty(poisoned, ({ events, instants }) => expectEqual(events, instants)),
      { numRuns: runs(25) },
    );
  }, 180_000);
});
