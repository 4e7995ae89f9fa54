import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { decodeIntake } from '#libs/contracts';
import { type IntakeEvent, type IntakePayload, isoTime, type PlanSaved } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { nextSync, type PastSync } from '#libs/integration-store';
import type { DemoSize } from '#libs/sample-data';
import { syncUploadId } from '#libs/uploads';
import { PastCourse, type PastDay } from './past-course.ts';
import { PastLog } from './past-log.ts';
import type { SyncRow } from './past-syncs.ts';
import { DAY_MS, HOUR_MS } from './times.ts';

jest.setTimeout(120_000);

const SECOND_DAY = Date.UTC(2026, 4, 31);
const PARTITIONS = 4;

async function pastOf(size: DemoSize, days: number) {
  const records: LogRecord[] = [];
  const append = async (some: readonly LogRecord[]) => {
    records.push(...some);
  };
  const log = new PastLog({ partitions: PARTITIONS, append });
  const course = new PastCourse(log, size, days);
  const written: PastDay[] = [];
  for await (const day of course.write()) written.push(day);
  const events = records.map(({ value }) => decodeIntake(value));
  return { records, events, written, course, log, syncs: written.flatMap(({ syncs }) => syncs) };
}

const payloadsOf = <T extends IntakePayload['type']>(events: readonly IntakeEvent[], type: T) =>
  events.flatMap(({ payload }) => (payload.type === type ? [payload as IntakePayload & { type: T }] : []));

/** Each kind of act of a past of some weeks. */
const ACTS = [
  'OptionSaved',
  'CustomFieldSaved',
  'SettingsChanged',
  'OwnerRulesReplaced',
  'IntegrationSaved',
  'SyncRequested',
  'PlanSaved',
  'FindingAccepted',
  'FindingReverted',
  'FindingAssigned',
  'FindingTagged',
  'FindingDueSet',
  'FindingTicketsChanged',
  'FindingCommented',
] as const;

describe('the past of 90 days', () => {
  const past = pastOf({ seed: 'halden', machines: 60, users: 10, secondDay: SECOND_DAY }, 90);

  it('has every kind of act, and descriptions of machines by both platforms', async () => {
    const { events } = await past;
    const types = new Set(events.map(({ payload }) => payload.type));
    expect(ACTS.filter((type) => !types.has(type))).toEqual([]);
    const sources = new Set(payloadsOf(events, 'AssetDescribed').map(({ source }) => source.name));
    expect([...sources].sort()).toEqual(['asset-inventory', 'endpoint-agent']);
  });

  it('has detections in syncs alone, of which one failed twice and recovered', async () => {
    const { events, syncs } = await past;
    const detecting = events.filter(
      ({ payload }) => payload.type === 'SignalReceived' && payload.observations[0]!.type === 'edr',
    );
    expect(detecting.length).toBeGreaterThan(20);
    for (const { envelope } of detecting) expect(envelope.cause.kind).toBe('sync');
    expect(new Set(detecting.map(({ envelope }) => envelope.at)).size).toBeGreaterThan(10);
    const failed = syncs.findIndex(({ stage }) => stage === 'ERROR');
    expect(syncs.slice(failed, failed + 3).map(({ stage, retry }) => [stage, retry])).toEqual([
      ['ERROR', 0],
      ['ERROR', 1],
      ['COMPLETED', 2],
    ]);
    expect(syncs.filter(({ stage }) => stage === 'ERROR')).toHaveLength(2);
    expect(syncs.at(-1)).toMatchObject({ action: 'manual', requested_by: 'admin', stage: 'COMPLETED' });
  });

  it('has a plan that ended, one that is late and one that runs, each with its promise', async () => {
    const { events } = await past;
    const plans = [...lastPlans(events).values()];
    const late = ({ state, due }: PlanSaved) => state === 'active' && due! < SECOND_DAY;
    expect(plans.map((plan) => (late(plan) ? 'late' : plan.state)).sort()).toEqual([
      'active',
      'done',
      'late',
    ]);
    const done = plans.find(({ state }) => state === 'done')!;
    expect(done.promise!.scoreAfter!).toBeLessThan(done.promise!.score! - 1);
  });

  it('ends without schedules, and with findings of the first user', async () => {
    const { log } = await past;
    const { integrations = [], settings } = log.organization;
    expect(integrations.map(({ config }) => config.autoSyncDays)).toEqual([null, null]);
    expect(settings).toMatchObject({
      sla: { exceptionsNeedEnd: true },
      lossRanges: { currency: 'EUR' },
      ownerRules: expect.arrayContaining([expect.objectContaining({ user: 'ines.costa' })]),
    });
    const ofAdmin = log
      .findings(SECOND_DAY)
      .filter(({ finding: { triage, state } }) => state === 'Failed' && isOf(triage?.assignee, 'admin'));
    expect(ofAdmin.length).toBeGreaterThanOrEqual(5);
  });

  it('ends with a scan that a user finds in the last 24 hours, at any time of the next day but its end', async () => {
    const { events } = await past;
    const { cause, at } = events.at(-1)!.envelope;
    expect(cause.kind).toBe('zip');
    expect(at).toBeGreaterThanOrEqual(SECOND_DAY + 23.5 * HOUR_MS);
  });

  it('is the same for the same seed, size, day and days', async () => {
    const size = { seed: 'other', machines: 5, users: 2, secondDay: SECOND_DAY };
    const [one, again] = [await pastOf(size, 30), await pastOf(size, 30)];
    expect(again.records).toEqual(one.records);
    expect(again.written).toEqual(one.written);
  });
});

const isOf = (assignee: object | null | undefined, user: string): boolean =>
  assignee !== null && assignee !== undefined && 'user' in assignee && assignee.user === user;

/** The last version of each plan. */
const lastPlans = (events: readonly IntakeEvent[]) =>
  new Map(payloadsOf(events, 'PlanSaved').map((plan) => [plan.id, plan]));

const PASTS = fc.record({
  seed: fc.string({ maxLength: 8 }),
  machines: fc.integer({ min: 1, max: 25 }),
  users: fc.integer({ min: 0, max: 4 }),
  days: fc.integer({ min: 7, max: 80 }),
});

// An act that the fold refuses fails the past itself.
describe('every past', () => {
  it('is in the order of its times, acts on what exists, and has syncs as the schedule runs them (property)', async () => {
    await fc.assert(
      fc.asyncProperty(PASTS, async ({ days, ...given }) => {
        const past = await pastOf({ ...given, secondDay: SECOND_DAY }, days);
        const { events, course } = past;
        const times = events.map(({ envelope }) => envelope.at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times[0]).toBeGreaterThan(course.firstDay);
        expect(times.at(-1)).toBeLessThan(SECOND_DAY + DAY_MS);
        const known = new Set(past.log.findings(0).map(({ finding }) => finding.id));
        for (const plan of lastPlans(events).values()) expectConsistent(plan, known);
        expectAsScheduled(past);
        expectUploadsOf(past);
        expectOneAtATime(past.syncs);
      }),
      { numRuns: 12 },
    );
  });
});

function expectConsistent(plan: PlanSaved, known: ReadonlySet<string>): void {
  expect(plan.findingIds.length).toBeGreaterThan(0);
  expect(plan.findingIds.filter((id) => !known.has(id))).toEqual([]);
  expect(plan.createdAt).toBeLessThan(plan.startedAt!);
  expect(plan.startedAt!).toBeLessThan(plan.due!);
  expect(isoTime(plan.due!)).toMatch(/T23:59:59\.999Z$/);
  if (plan.state === 'done') expect(plan.startedAt!).toBeLessThan(plan.finishedAt!);
  else expect(plan.finishedAt).toBe(null);
  expect(plan.promise!.scoreAfter ?? 0).toBeLessThanOrEqual(plan.promise!.score ?? 0);
}

/** Each scheduled sync is the one that the service runs next after those before it. */
function expectAsScheduled({ course, syncs }: Awaited<ReturnType<typeof pastOf>>): void {
  for (const { id, createdAt, config } of Object.values(course.integrations)) {
    const before: PastSync[] = [];
    for (const sync of syncs.filter(({ integration_id }) => integration_id === id)) {
      const requestedAt = sync.requested_at.getTime();
      expect(requestedAt).toBeGreaterThanOrEqual(before[0]?.finishedAt ?? 0);
      if (sync.action === 'scheduled') {
        expect(nextSync({ createdAt, config }, before)).toEqual({ at: requestedAt, retry: sync.retry });
      }
      before.unshift({
        action: sync.action,
        retry: sync.retry,
        requestedAt,
        finishedAt: sync.finished_at.getTime(),
        hasFailed: sync.stage === 'ERROR',
      });
    }
  }
}

/** The collector runs one sync after the other. */
function expectOneAtATime(syncs: readonly SyncRow[]): void {
  for (const [i, sync] of syncs.entries()) {
    expect(sync.started_at.getTime()).toBeGreaterThan(syncs[i - 1]?.finished_at.getTime() ?? 0);
    expect(sync.finished_at.getTime()).toBeGreaterThan(sync.started_at.getTime());
  }
}

/** The rows of syncs count the uploads on the log, and their signals. */
function expectUploadsOf({ events, syncs }: Awaited<ReturnType<typeof pastOf>>): void {
  const counted = syncs.flatMap(({ id, uploads }) =>
    Array.from({ length: uploads }, (_, i) => syncUploadId(id, i + 1)),
  );
  const ofSyncs = events.filter(({ envelope }) => envelope.cause.kind === 'sync');
  const onLog = new Set(ofSyncs.map(({ envelope }) => envelope.cause.uploadId!));
  expect([...onLog].sort()).toEqual(counted.sort());
  const signals = syncs.reduce((sum, { counts }: SyncRow) => sum + JSON.parse(counts).signals, 0);
  expect(ofSyncs).toHaveLength(signals);
}
