import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { type IntakeEvent, readingAt } from '#libs/domain';
import { type Consumer, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { Projection } from '#libs/projection';
import { mendPartition, wrongPartitions } from '#libs/replay';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { DAY_MS, entity, event, signal, uploadId } from '../../../../test/support/scenario.ts';
import { until } from '../../../../test/support/until.ts';
import { isFoldedTo } from '../is-folded-to.ts';
import { runPosture } from '../posture.ts';

const PARTITIONS = 2;
const HOSTS = Array.from({ length: 12 }, (_, i) => `host${i}`);
const NOW = Date.now();
const LONG_AGO = NOW - 5 * DAY_MS;
/** The partition's time after a clock that is 120 days ahead. */
const AHEAD = NOW + 120 * DAY_MS;
const KEYS = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };
const keyOf = (host: string) => `machine:${host}`;

let uploads = 0;
const seen = (host: string, name: string, at: number, rules: number): IntakeEvent => {
  uploads += 1;
  const expiresAt = at + 90 * DAY_MS;
  return event(
    signal(name, 'fail', { entity: entity({ name: host }), expiresAt, retainUntil: expiresAt }),
    at,
    { uploadId: uploadId(uploads), receivedAt: at },
    { entityKey: keyOf(host), rules },
  );
};
const swept = (host: string): IntakeEvent =>
  event(
    { type: 'EntitySwept', deleteIdleSince: NOW + 30 * DAY_MS },
    AHEAD,
    { kind: 'system', user: null },
    { entityKey: keyOf(host), rules: 2 },
  );

/** In order: each uses the result of the previous one. */
describe('posture clock mend', () => {
  let site: TestDatabase;
  let log: PostgresEventLog;
  let folding: Consumer;

  beforeAll(async () => {
    site = await testDatabase();
    log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
    await openLog(site.db, log, () => readingAt(LONG_AGO));
    const projection = new Projection(site.db);
    folding = await log.consume(INTAKE_TOPIC, 'projector', {
      assigned: (partition) => projection.open(partition),
      revoked: async (partition) => projection.close(partition),
      batch: (records) => projection.project(records),
    });
    await append(HOSTS.map((host) => seen(host, 'old', LONG_AGO, 2)));
  });
  afterAll(async () => {
    await folding.stop();
    await log.close();
    await site.drop();
  });

  async function append(events: IntakeEvent[]): Promise<void> {
    await log.append(
      INTAKE_TOPIC,
      events.map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) })),
    );
    await settled();
  }

  async function settled(): Promise<void> {
    for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries())
      await until('the fold', () => isFoldedTo(site.db, partition, end));
  }

  async function run(...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: site.url, ...KEYS });
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  const states = async () => {
    const { rows } = await site.pool.query(
      'select name, state, count(*)::int as n from findings group by 1, 2 order by 1, 2',
    );
    return rows.map(({ name, state, n }) => `${name} ${state} ${n}`);
  };
  const deleted = async () =>
    (await site.pool.query('select count(*)::int as n from assets where deleted_at is not null')).rows[0].n;
  const clocks = async () =>
    (await site.pool.query('select clock from projection_positions')).rows.map(({ clock }) => Number(clock));

  it('fails if no clock is ahead, or without a reason', async () => {
    expect(await run('clock', 'mend', '--dry-run')).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/no partition clock is ahead/),
    });
    expect(await run('clock', 'mend')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/--reason must have 1 to 500 characters/),
    });
  });

  it('finds a poisoned site, which stays poisoned after all later events', async () => {
    await append([...HOSTS.map(swept), ...HOSTS.slice(0, 2).map((host) => seen(host, 'ahead', AHEAD, 2))]);
    expect(await states()).toEqual(['ahead Failed 2', 'old Retired 12']);
    expect(await deleted()).toBe(10);
    await append(HOSTS.map((host) => seen(host, 'new', NOW, 3)));
    await append(
      HOSTS.map((host) =>
        event({ type: 'EntitySwept', deleteIdleSince: null }, NOW, {}, { entityKey: keyOf(host) }),
      ),
    );
    expect(await states()).toEqual(['ahead Failed 2', 'new Retired 12', 'old Retired 12']);
    expect(Math.min(...(await clocks()))).toBe(AHEAD);
  });

  it('shows with --dry-run its changes, and appends nothing', async () => {
    const ends = await log.ends(INTAKE_TOPIC);
    const { exitCode, out } = await run('clock', 'mend', '--dry-run', '--json');
    const { partitions, ...head } = JSON.parse(out);
    expect([exitCode, head]).toEqual([0, { ok: true, dryRun: true }]);
    expect(partitions.map(({ clock }: { clock: string }) => clock)).toEqual(
      Array(PARTITIONS).fill(new Date(AHEAD).toISOString()),
    );
    const returned = partitions.reduce(
      (sum: number, one: { findingsReturned: number }) => sum + one.findingsReturned,
      0,
    );
    expect(returned).toBe(24);
    expect(await log.ends(INTAKE_TOPIC)).toEqual(ends);
    expect((await run('clock', 'mend', '--dry-run')).out).toMatch(
      /^Partition 0 {2}clock at \S+; findings returned: \d+, assets returned: \d+, other corrections: \d+\n(.*\n)Dry run {6}partitions to mend: 2; nothing was stored\n$/,
    );
  });

  it('is interrupted after the correction and some of the mends, and continues', async () => {
    const [wrong] = await wrongPartitions(site.db, NOW + DAY_MS);
    let appends = 0;
    const dying = mendPartition(wrong!, {
      log: {
        read: log.read.bind(log),
        ends: log.ends.bind(log),
        append: (topic, records) => {
          appends += 1;
          // The correction, and of the mends the first.
          if (appends <= 2) return log.append(topic, records.slice(0, 1));
          throw new Error('killed');
        },
      },
      seal: async (events) => events,
      by: { user: 'ana', requestId: 'r' },
      reason: 'interrupted',
      settingsVersion: 0,
      reading: async () => readingAt(Date.now()),
      folded: async () => {
        if (appends === 2) throw new Error('killed');
        await settled();
      },
    });
    await expect(dying).rejects.toThrow('killed');
    await settled();
    const { exitCode, out } = await run('clock', 'mend', '--reason', 'the time server was wrong');
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /^Partition 0 {2}clock already corrected; .*\nPartition 1 {2}clock at .*\nMended/,
      ),
    ]);
    expect(await states()).toEqual(['ahead Failed 2', 'new Failed 12', 'old Failed 12']);
    expect(await deleted()).toBe(0);
    expect(Math.max(...(await clocks()))).toBeLessThanOrEqual(Date.now());
  });

  it('is in the audit trail and in the history, and the tables equal the fold of the log', async () => {
    const { rows: acts } = await site.pool.query(
      "select target, by_user is not null as is_told, detail ->> 'from' as from, detail ->> 'reason' as reason from acts where action = 'clock.corrected' order by target",
    );
    const from = new Date(AHEAD).toISOString();
    expect(acts).toEqual([
      { target: 'partition 0', is_told: true, from, reason: 'interrupted' },
      { target: 'partition 1', is_told: true, from, reason: expect.not.stringContaining('time server') },
    ]);
    const { rows } = await site.pool.query(
      "select change, from_state, to_state, count(*)::int as n from finding_history where reason = 'clockCorrected' and at <= now() group by 1, 2, 3 order by 1",
    );
    expect(rows).toEqual([
      { change: 'returned', from_state: 'Retired', to_state: 'Failed', n: 24 },
      { change: 'updated', from_state: 'Failed', to_state: 'Failed', n: 2 },
    ]);
    const { exitCode, out } = await run('verify');
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^Clean: /)]);
    expect(out).toMatch(/Corrected {2}partition 0: clock from \S+ back to \S+ \(interrupted\)/);
    expect(out).toMatch(/Corrected {2}partition 1: .* \(the time server was wrong\)/);
    expect(JSON.parse((await run('verify', '--json')).out).clocks.corrected).toMatchObject([
      { reason: 'interrupted' },
      { reason: 'the time server was wrong' },
    ]);
  });

  it('does nothing the second time', async () => {
    const ends = await log.ends(INTAKE_TOPIC);
    expect(await run('clock', 'mend', '--reason', 'again')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/no correction is pending/),
    });
    expect(await log.ends(INTAKE_TOPIC)).toEqual(ends);
  });
});
