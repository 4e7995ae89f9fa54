import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KyselyPlugin } from 'kysely';
import { bareClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import {
  actEnvelope,
  type IntegrationSaved,
  ORGANIZATION_KEY,
  readingAt,
  type Settings,
  type SettingsChanged,
  type Signal,
} from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type Connector, type PulledPage, type PulledSignal, pageOf } from '#libs/integrations';
import { Projection } from '#libs/projection';
import { EventSealer } from '#libs/sealing';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { SubjectKeysInMemory } from '../../../../test/support/subject-keys-in-memory.ts';
import { until } from '../../../../test/support/until.ts';
import { endRemoved } from '../edr/end-edr-management.ts';
import { Schedule } from '../schedule/schedule.service.ts';
import { endStatementsOfRemoved } from '../statements/end-statements.ts';
import { SYNC_BUDGET, type SyncBudget } from './sync-interrupted.ts';
import { SyncOutcomes } from './sync-outcomes.service.ts';
import { SyncRunner } from './sync-runner.service.ts';
import { SyncRunsRepository } from './sync-runs.repository.ts';

const INTEGRATION = '0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e01';
const OTHER = '0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e02';
const PARTITIONS = 2;

const SAVED: IntegrationSaved = {
  type: 'IntegrationSaved',
  id: INTEGRATION,
  seenVersion: null,
  integrationType: 'edrplugin',
  subType: 'falcon',
  name: 'EDR',
  source: 'edr',
  config: { url: '"https://edr.example"', autoSyncDays: '1' },
  secrets: ['clientSecret'],
  createdAt: T0,
};

let now = T0;
let database: TestDatabase;
let log: PostgresEventLog;
let syncs: SyncRunsRepository;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  syncs = new SyncRunsRepository(database.db);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});
beforeEach(async () => {
  await emptyFolded(database);
  await database.pool.query('truncate syncs, log_records, log_ends');
  await append(SAVED);
});

async function append(
  payload: IntegrationSaved | SettingsChanged | { type: 'IntegrationRemoved'; id: string },
  isFolded = true,
): Promise<void> {
  const envelope = actEnvelope({
    id: INTEGRATION,
    entityKey: ORGANIZATION_KEY,
    ...readingAt(now),
    settingsVersion: 0,
    by: null,
  });
  await log.append(INTAKE_TOPIC, [{ key: ORGANIZATION_KEY, value: encodeIntake({ envelope, payload }) }]);
  if (isFolded) await fold();
}

/** Folds the log, as the projector would. */
async function fold(): Promise<void> {
  const projection = new Projection(database.db);
  const ends = await log.ends(INTAKE_TOPIC);
  for (const [partition, end] of ends.entries()) {
    for (let next = await projection.open(partition); next < end; ) {
      for await (const records of log.read(INTAKE_TOPIC, partition, next, end))
        next = await projection.project(records);
    }
  }
}

const detection = (host: string, name: string): Signal =>
  ({
    id: '09d34300-4c54-4e5e-9050-fff5d912cb19',
    name,
    entity: { type: 'machine', name: host },
    source: { name: 'edr' },
    securityContexts: [
      {
        type: 'edr',
        status: { complianceStatus: 'fail' },
        severity: { value: 7 },
        tags: { instance: ['d1'] },
      },
    ],
  }) as unknown as Signal;

const page = (host: string, watermark: string | null, given: Partial<PulledPage> = {}): PulledPage =>
  pageOf({
    signals: [detection(host, 'T1059')],
    records: 1,
    watermark,
    progress: { done: 1, of: 2 },
    ...given,
  });

/** Pages as given; a function is asked for its page when the pull comes there. */
function connector(
  ...pages: (PulledPage | ((signal: AbortSignal) => Promise<PulledPage>))[]
): Connector & { since: (string | null)[] } {
  const since: (string | null)[] = [];
  return {
    since,
    isEdrInventory: true,
    rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
    checks: async () => [],
    async *pull(from, signal) {
      since.push(from);
      for (const one of pages) yield typeof one === 'function' ? await one(signal) : one;
    },
  };
}

/** Settings that the connector of the last sync reads. */
let settings: () => Settings;

const runner = (made: Connector, budget: SyncBudget = SYNC_BUDGET, sealer = new EventSealer(null)) =>
  new SyncRunner(
    database.db,
    log,
    () => now,
    bareClock(() => now),
    async (_, current) => {
      settings = current;
      return { connector: made, close: async () => {} };
    },
    syncs,
    budget,
    sealer,
  );

async function sync(
  made: Connector,
  stopping = new AbortController().signal,
  budget?: SyncBudget,
  sealer?: EventSealer,
) {
  await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
  now += 1_000;
  const task = (await syncs.take(now))!;
  await runner(made, budget, sealer).run(task, stopping);
  await fold();
  return row();
}

async function row() {
  const { rows } = await database.pool.query('select * from syncs order by requested_at desc limit 1');
  return rows[0];
}

async function hosts(): Promise<string[]> {
  const { rows } = await database.pool.query('select name from assets order by name');
  return rows.map(({ name }) => name);
}

describe('a sync (R-INT-3)', () => {
  it('applies every page, each as an upload of the sync, and ends with Success', async () => {
    const ended = await sync(connector(page('web01', 'w1'), page('web02', 'w2')));
    expect(ended).toMatchObject({
      stage: 'COMPLETED',
      status: 0,
      percent: 100,
      is_full: true,
      watermark: 'w2',
      errors: [],
    });
    expect(ended.counts).toMatchObject({ pages: 2, records: 2, signals: 2, failed: 0 });
    expect(await hosts()).toEqual(['web01', 'web02']);
    const { rows } = await database.pool.query(
      `select kind, count(distinct upload_id) from upload_progress group by kind`,
    );
    expect(rows).toEqual([{ kind: 'sync', count: 2 }]);
    const causes = await database.pool.query(
      `select distinct cause ->> 'syncId' as sync from finding_history`,
    );
    expect(causes.rows).toEqual([{ sync: ended.id }]);
  });

  it('is full until one has ended with Success, then begins at its end', async () => {
    const made = connector(page('web01', 'w1'));
    expect(await sync(made)).toMatchObject({ is_full: true });
    expect(await sync(made)).toMatchObject({ is_full: false });
    expect(made.since).toEqual([null, 'w1']);
  });

  it('ends with Partial Success if something failed, and reports it', async () => {
    const failed = [{ what: 'hosts page 2', message: 'answered 500 six times' }];
    const ended = await sync(connector(page('web01', 'w1'), page('web02', 'w1', { failed })));
    expect(ended).toMatchObject({ stage: 'COMPLETED', status: 3, errors: failed });
    expect(await hosts()).toEqual(['web01', 'web02']);
  });

  it('ends with Error if nothing came but failures', async () => {
    const failed = [{ what: 'token', message: 'the credentials were refused' }];
    const nothing = pageOf({ failed, watermark: null, progress: { done: 0, of: null } });
    expect(await sync(connector(nothing))).toMatchObject({ stage: 'ERROR', status: 2, errors: failed });
  });

  it('starts again after a partial success of a full one, and if its source changed', async () => {
    const failed = [{ what: 'host 7', message: 'has no name' }];
    const made = connector(page('web01', 'w1', { failed }));
    expect(await sync(made)).toMatchObject({ status: 3 });
    const whole = connector(page('web01', 'w2'));
    expect(await sync(whole)).toMatchObject({ status: 0, is_full: true });
    await append({ ...SAVED, config: { ...SAVED.config, url: '"https://elsewhere.example"' } });
    expect(await sync(whole)).toMatchObject({ status: 0, is_full: true });
    await append({
      ...SAVED,
      name: 'renamed',
      config: { ...SAVED.config, url: '"https://elsewhere.example"', autoSyncDays: '7' },
    });
    expect(await sync(whole)).toMatchObject({ is_full: false });
    expect([...made.since, ...whole.since]).toEqual([null, null, null, 'w2']);
  });

  it('starts again with an earlier source too: a full sync of the other one has ended what that described', async () => {
    const made = connector(page('web01', 'w1'));
    const from = (host: string) =>
      append({ ...SAVED, config: { ...SAVED.config, url: `"https://${host}.example"` } });
    for (const host of ['edr', 'elsewhere', 'edr']) {
      await from(host);
      expect(await sync(made)).toMatchObject({ status: 0, is_full: true });
    }
    expect(await sync(made)).toMatchObject({ status: 0, is_full: false });
    expect(made.since).toEqual([null, null, null, 'w1']);
  });

  it('starts again after every partial success of a full sync', async () => {
    await sync(connector(page('web01', 'w1')));
    const made = connector(page('web01', 'w2', { failed: [{ what: 'host 7', message: 'has no name' }] }));
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
    expect(await sync(made)).toMatchObject({ status: 3, is_full: true });
    expect(await sync(made)).toMatchObject({ status: 3, is_full: true });
    await sync(made);
    expect(made.since).toEqual([null, null, null]);
  });

  it('starts again also after one that has reached no watermark', async () => {
    await sync(connector(page('web01', 'w1')));
    const made = connector(page('web01', null, { failed: [{ what: 'a chunk', message: 'is missing' }] }));
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
    expect(await sync(made)).toMatchObject({ status: 3, is_full: true, watermark: null });
    expect(await sync(made)).toMatchObject({ status: 3, is_full: true });
    expect(made.since).toEqual([null, null]);
  });

  it('leaves its row to another collector that took it for dead', async () => {
    const taken = async () => {
      await syncs.endInterrupted(now);
      return page('web02', 'w2');
    };
    expect(await sync(connector(page('web01', 'w1'), taken))).toMatchObject({
      stage: 'ERROR',
      watermark: 'w1',
    });
  });

  it('skips a signal that the rules reject, and reports it', async () => {
    const ended = await sync(
      connector(page('web01', 'w1', { signals: [detection('web01', 'good'), detection('   ', 'bad')] })),
    );
    expect(ended).toMatchObject({ status: 3, counts: { signals: 1, failed: 1 } });
    expect(ended.errors[0].message).toMatch(/entity.name must not be blank/);
  });

  it('seals what a rejected signal names as the signal itself', async () => {
    const keys = new SubjectKeysInMemory();
    const sealer = new EventSealer(keys, '*-laptop');
    const rejected = { ...detection('ana-laptop', ' '), entity: { type: 'machine', name: 'ana-laptop' } };
    const pulled = connector(page('web01', 'w1', { signals: [rejected, detection('web01', 'good')] }));
    const { errors } = await sync(pulled, undefined, undefined, sealer);
    expect(JSON.stringify(errors)).not.toContain('ana-laptop');
    expect(await sealer.open(errors)).toMatchObject([{ what: expect.stringContaining('of ana-laptop') }]);
    const { rows } = await database.pool.query(`select encode(value, 'escape') as value from log_records`);
    expect(JSON.stringify(rows)).not.toContain('ana-laptop');
  });

  it('skips a machine whose key is damaged, reports it, and ends nothing of it', async () => {
    const keys = new SubjectKeysInMemory();
    const syncOf = (...names: string[]) => {
      const signals = names.map((name) => ({
        ...detection(name, 'T1059'),
        entityOnly: true,
        deviceId: name,
      }));
      const pages = signals.map((one, i) => page('', `w${i}`, { signals: [one] }));
      return sync(connector(...pages), undefined, undefined, new EventSealer(keys, '*-laptop'));
    };
    await syncOf('ana-laptop', 'ben-laptop', 'gone-laptop', 'gone01');
    keys.damage('machine:ben-laptop', 'machine:gone-laptop');
    const ended = await syncOf('ana-laptop', 'ben-laptop', 'cat-laptop');
    expect(ended).toMatchObject({ status: 3, watermark: 'w2', counts: { signals: 2, failed: 1 } });
    expect(ended.errors).toEqual([
      { what: 'a sealed machine', message: expect.stringMatching(/damaged, or erase the machine$/) },
    ]);
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
    expect(await syncOf('ana-laptop', 'cat-laptop')).toMatchObject({ status: 0, is_full: true });
    const { rows } = await database.pool.query(
      `select edr_sources <> '{}' as managed, count(*) from assets where stated_devices <> '{}' or name = 'gone01' group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { managed: false, count: 1 },
      { managed: true, count: 4 },
    ]);
  });

  it('keeps the applied records if it is interrupted: the next one continues after them, and is still full', async () => {
    const made = connector(page('web01', 'w1'), () => Promise.reject(new Error('the log is away')));
    expect(await sync(made)).toMatchObject({ stage: 'ERROR', status: 2, watermark: 'w1' });
    const next = connector(page('web02', 'w2'));
    expect(await sync(next)).toMatchObject({ stage: 'COMPLETED', status: 0, is_full: true });
    expect(next.since).toEqual(['w1']);
    expect(await hosts()).toEqual(['web01', 'web02']);
  });

  it('names the cause of its end first, however many records failed before', async () => {
    const failed = Array.from({ length: 100 }, (_, n) => ({ what: `host ${n}`, message: 'damaged' }));
    const cut = connector(page('web01', 'w1', { failed }), () =>
      Promise.reject(new Error('the log is away')),
    );
    const { errors, counts } = await sync(cut);
    expect(errors).toEqual([{ what: 'sync', message: 'the log is away' }, ...failed.slice(0, 99)]);
    expect(counts).toMatchObject({ failed: 101 });
  });

  it('begins again if it is interrupted after a page that sets its watermark back', async () => {
    const missing = page('web02', null, { failed: [{ what: 'hosts', message: '1 of 3 are missing' }] });
    const cut = connector(page('web01', 'w1'), missing, () => Promise.reject(new Error('the log is away')));
    expect(await sync(cut)).toMatchObject({ status: 2, watermark: null });
    const next = connector(page('web03', 'w3'));
    await sync(next);
    expect(next.since).toEqual([null]);
  });

  it('stops at the next page if its integration was deleted', async () => {
    const removed = async () => {
      await append({ type: 'IntegrationRemoved', id: INTEGRATION });
      return page('web02', 'w2');
    };
    const ended = await sync(connector(page('web01', 'w1'), removed));
    expect(ended).toMatchObject({ stage: 'ERROR', status: 2 });
    expect(ended.errors).toMatchObject([{ message: 'the integration was deleted' }]);
    expect(await hosts()).toEqual(['web01']);
  });

  /** The integration is saved while the second page is pulled. */
  const savedBefore =
    (host: string, { config, ...given }: Partial<IntegrationSaved>) =>
    async () => {
      await append({ ...SAVED, ...given, config: { ...SAVED.config, ...config } });
      return page(host, 'w2');
    };

  it('stops at the next page if address or selection of its integration were changed', async () => {
    const narrowed = savedBefore('web02', { config: { tagFilters: '["x"]' } });
    const ended = await sync(connector(page('web01', 'w1'), narrowed, page('web03', 'w3')));
    expect(ended).toMatchObject({ stage: 'ERROR', status: 2, end_reason: 'interrupted', watermark: 'w1' });
    expect(ended.errors).toMatchObject([{ message: expect.stringMatching(/^the integration was changed/) }]);
    expect(await hosts()).toEqual(['web01']);
    const next = connector(page('web03', 'w3'));
    expect(await sync(next)).toMatchObject({ status: 0, is_full: true });
    expect(next.since).toEqual([null]);
  });

  it('does not stop if name or schedule of its integration were changed', async () => {
    const renamed = savedBefore('web02', { name: 'renamed', config: { autoSyncDays: '7' } });
    expect(await sync(connector(page('web01', 'w1'), renamed))).toMatchObject({ status: 0 });
  });

  it('stops with its collector, and says so', async () => {
    const stopping = new AbortController();
    const stopped = async () => {
      stopping.abort();
      return page('web02', 'w2');
    };
    const ended = await sync(connector(page('web01', 'w1'), stopped), stopping.signal);
    expect(ended).toMatchObject({ stage: 'ERROR', watermark: 'w1', end_reason: 'interrupted' });
    expect(ended.errors[0].message).toMatch(/collector was stopped/);
  });

  it('says what the next sync does if its limit is used up', async () => {
    const stoppedAt = async (watermark: string | null) => {
      const ended = await sync(connector(page('web01', watermark), page('web02', watermark)), undefined, {
        ms: 600_000,
        pages: 1,
      });
      return ended.errors[0].message;
    };
    expect(await stoppedAt(null)).toMatch(
      /applied changes remain, and the next sync begins where this one began$/,
    );
    expect(await stoppedAt('w1')).toMatch(/applied changes remain, and the next sync continues from there$/);
    expect(await stoppedAt('w1')).toMatch(/begins where this one began$/);
  });

  /** An answer that the platform keeps back. */
  const keptBack = (signal: AbortSignal) =>
    new Promise<PulledPage>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });

  it('is cancelled while its platform delays a response, keeps the received records, and the next one continues', async () => {
    const cancelled = (signal: AbortSignal) => {
      void database.pool.query(`update syncs set cancel_requested_at = now(), cancel_requested_by = 'ada'`);
      return keptBack(signal);
    };
    expect(await sync(connector(page('web01', 'w1'), cancelled))).toMatchObject({
      stage: 'ERROR',
      status: 2,
      end_reason: 'cancelled',
      watermark: 'w1',
      errors: [{ what: 'sync', message: expect.stringContaining('cancelled by ada') }],
    });
    expect(await hosts()).toEqual(['web01']);
    const next = connector(page('web02', 'w2'));
    expect(await sync(next)).toMatchObject({ status: 0, is_full: true, end_reason: null });
    expect(next.since).toEqual(['w1']);
  });

  it('follows a change of the settings while its platform delays a response', async () => {
    const delayed = async () => {
      const changes = { egressAllow: '["10.0.0.5"]' };
      await append({ type: 'SettingsChanged', seenVersion: null, changes });
      await until('the setting', () => settings().egressAllow.includes('10.0.0.5'));
      return page('web01', 'w1');
    };
    expect(await sync(connector(delayed))).toMatchObject({ status: 0 });
  });

  it('ends when its time or its page limit is used up; the next one continues', async () => {
    const late = await sync(connector(page('web01', 'w1'), keptBack), undefined, { ms: 2_000, pages: 10 });
    expect(late).toMatchObject({ stage: 'ERROR', end_reason: 'overBudget', watermark: 'w1' });
    const many = connector(page('web02', 'w2'), page('web03', 'w3'), page('web04', 'w4'));
    const ended = await sync(many, undefined, { ms: 600_000, pages: 2 });
    expect(ended).toMatchObject({
      end_reason: 'overBudget',
      watermark: 'w3',
      errors: [{ message: expect.stringContaining('exceeded 2 pages') }],
    });
    expect(many.since).toEqual(['w1']);
    expect(await hosts()).toEqual(['web01', 'web02', 'web03']);
    const last = connector(page('web04', 'w4'));
    expect(await sync(last, undefined, { ms: 600_000, pages: 1 })).toMatchObject({ status: 0 });
  });
});

describe('the hosts of an EDR inventory (R-EDR-8)', () => {
  const { signal } = new AbortController();
  const host = (name: string): Signal => ({
    id: '09d34300-4c54-4e5e-9050-fff5d912cb1a',
    entityOnly: true,
    name: 'Host of the EDR platform',
    source: { name: 'edr' },
    entity: { type: 'machine', name },
  });
  const listing = (names: string[], given: Partial<PulledPage> = {}) =>
    page('', 'w1', { signals: names.map(host), ...given });
  const managed = async () => {
    const { rows } = await database.pool.query(
      `select name from assets where edr_sources = '{edr}' order by name`,
    );
    return rows.map(({ name }) => name);
  };
  /** Requests a full sync. */
  async function fullSync(...pages: Parameters<typeof connector>) {
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
    return sync(connector(...pages));
  }
  const failed = [{ what: 'hosts page 2', message: 'answered 500 six times' }];

  it('are managed, and the machines of its detections are not', async () => {
    await sync(connector(listing(['web01', 'web02']), page('web03', 'w2')));
    expect(await managed()).toEqual(['web01', 'web02']);
  });

  it('are no longer managed if a full sync does not list them, and the history names the sync', async () => {
    await sync(connector(listing(['web01', 'web02', 'web03'])));
    const { id } = await fullSync(listing(['WEB01']), page('web02', 'w2'));
    expect(await managed()).toEqual(['web01']);
    const { rows } = await database.pool.query(
      `select distinct cause ->> 'kind' as kind, cause ->> 'syncId' as sync from asset_history
       where state ->> 'edrSources' = '[]'`,
    );
    expect(rows).toEqual([{ kind: 'system', sync: id }]);
  });

  it('stay managed if the sync has a failure, is interrupted, or is a delta', async () => {
    await sync(connector(listing(['web01', 'web02'])));
    await fullSync(listing(['web01'], { failed }));
    await fullSync(listing(['web01']), () => Promise.reject(new Error('the log is away')));
    await fullSync(listing(['web01']), listing([], { signals: [host('   ')] }));
    expect(await managed()).toEqual(['web01', 'web02']);
    await fullSync(listing(['web01', 'web02']));
    expect(await sync(connector(listing(['web01'])))).toMatchObject({ status: 0, is_full: false });
    expect(await managed()).toEqual(['web01', 'web02']);
  });

  it('stay managed if a full sync lists no host, which a notice reports', async () => {
    await sync(connector(listing(['web01'])));
    const ended = await fullSync(page('web02', 'w2'));
    expect(ended).toMatchObject({ status: 0, is_full: true });
    expect(ended.counts.notices).toEqual([expect.stringContaining('listed no host')]);
    expect(await managed()).toEqual(['web01']);
  });

  it('stay managed if they got an FQDN in a page that is not folded yet', async () => {
    await sync(connector(listing(['web01', 'web02'])));
    await fullSync(listing(['web01.acme.com']));
    expect(await managed()).toEqual(['web01.acme.com']);
  });

  it('are listed completely by a sync after seven days without a full one, once the last one succeeded', async () => {
    const first = connector(listing(['web01', 'web02']));
    await sync(first);
    now += 7 * DAY_MS - 10_000;
    const second = connector(listing(['web01']), page('web03', 'w1', { failed }));
    await sync(second);
    now += 20_000;
    const [resumed, relisted] = [connector(listing(['web01'])), connector(listing(['web01']))];
    expect(await sync(resumed)).toMatchObject({ is_full: false });
    expect(await managed()).toEqual(['web01', 'web02']);
    expect(await sync(relisted)).toMatchObject({ is_full: true });
    expect([...second.since, ...resumed.since, ...relisted.since]).toEqual(['w1', 'w1', null]);
    expect(await managed()).toEqual(['web01']);
  });

  it('are listed completely by the next sync if the one that was due failed before anything was read', async () => {
    await sync(connector(listing(['web01', 'web02'])));
    now += 7 * DAY_MS;
    const away = connector(() => Promise.reject(new Error('away')));
    expect(await sync(away)).toMatchObject({ status: 2, is_full: true, watermark: null });
    const relisted = connector(listing(['web01']));
    expect(await sync(relisted)).toMatchObject({ status: 0, is_full: true });
    expect([...away.since, ...relisted.since]).toEqual([null, null]);
    expect(await managed()).toEqual(['web01']);
  });

  it('are no longer managed once the integration is removed, and other integrations keep theirs', async () => {
    const site = { db: database.db, log, trustedClock: bareClock(() => now) };
    await sync(connector(listing(['web01', 'web02'])));
    expect(await endRemoved(site, signal)).toBe(0);
    await append({ ...SAVED, id: OTHER, name: 'other', source: 'other' });
    const other = { ...host('web02'), source: { name: 'other' } };
    await sync(connector(page('', 'w2', { signals: [other] })));
    await append({ type: 'IntegrationRemoved', id: INTEGRATION });
    expect(await endRemoved(site, AbortSignal.abort())).toBe(0);
    expect(await endRemoved(site, signal)).toBe(2);
    await fold();
    const { rows } = await database.pool.query('select name, edr_sources from assets order by name');
    expect(rows).toEqual([
      { name: 'web01', edr_sources: [] },
      { name: 'web02', edr_sources: ['other'] },
    ]);
    expect(await endRemoved(site, signal)).toBe(0);
  });

  it('are no longer managed once the integration is removed, also if a scanner has got its name', async () => {
    const site = { db: database.db, log, trustedClock: bareClock(() => now) };
    await sync(connector(listing(['web01', 'web02'])));
    await append({ type: 'IntegrationRemoved', id: INTEGRATION });
    await append({ ...SAVED, id: OTHER, integrationType: 'vulnerabilityscanner', subType: 'tenable' });
    expect(await endRemoved(site, signal)).toBe(2);
    await fold();
    expect(await managed()).toEqual([]);
  });

  it('stay managed and stated if their integration is added while the removed ones are swept', async () => {
    await sync(connector(listing([], { signals: [{ ...host('web01'), deviceId: 'd1' }] })));
    /** The first read of the organization is from before the integration. */
    const siteBefore = () => {
      let isBefore = true;
      const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
        const [first] = result.rows as { state?: object }[];
        if (!isBefore || first?.state === undefined) return result;
        isBefore = false;
        return { ...result, rows: [{ state: { ...first.state, integrations: [] } }] };
      };
      const db = database.db.withPlugin({ transformQuery: ({ node }) => node, transformResult });
      return { db, log, trustedClock: bareClock(() => now) };
    };
    expect(await endRemoved(siteBefore(), signal)).toBe(0);
    expect(await endStatementsOfRemoved(siteBefore(), signal)).toBe(0);
  });
});

describe('weaknesses of a device that has the name of another asset now (R-SRC-6)', () => {
  const device = (host: string, deviceId: string) =>
    ({
      id: '09d34300-4c54-4e5e-9050-fff5d912cb19',
      name: host,
      entityOnly: true,
      source: { name: 'edr' },
      entity: { type: 'machine', name: host },
      deviceId,
    }) as PulledSignal;
  const weakness = (host: string, name: string, ...keys: string[]): PulledSignal => ({
    ...detection(host, name),
    securityContexts: keys.map((detectionId) => ({
      type: 'va',
      detectionId,
      status: { complianceStatus: 'fail' },
      severity: { value: 7 },
    })),
  });
  const syncOf = (sealer: EventSealer, ...signals: PulledSignal[]) =>
    sync(connector(page('', 'w1', { signals })), undefined, undefined, sealer);
  const failing = async () => {
    const { rows } = await database.pool.query(`
      select assets.state ->> 'hostname' as host, findings.name, json_array_length(body -> 'instances') as n
      from findings join assets using (asset_no) where findings.state <> 'Retired' order by 1, 2`);
    return rows.map(({ host, name, n }) => `${host} ${name} ${n}`);
  };
  const unsealed = new EventSealer(null);

  it('end at the earlier asset with all instances, before its statement; detections stay', async () => {
    const keys = Array.from({ length: 250 }, (_, n) => `k${n}`);
    await syncOf(unsealed, device('10-9-8-7', 'd1'), weakness('10-9-8-7', 'old TLS', ...keys));
    await syncOf(unsealed, weakness('10-9-8-7', 'telnet', 'k1'), detection('10-9-8-7', 'T1059'));
    expect(await failing()).toEqual(['10-9-8-7 T1059 1', '10-9-8-7 old TLS 250', '10-9-8-7 telnet 1']);
    const { counts, errors, uploads } = await syncOf(
      unsealed,
      device('web01', 'd1'),
      weakness('web01', 'old TLS', ...keys.slice(0, 2)),
    );
    expect(errors).toEqual([]);
    expect({ counts, uploads }).toMatchObject({ counts: { pages: 1, records: 1, signals: 6 }, uploads: 2 });
    expect(await failing()).toEqual(['10-9-8-7 T1059 1', 'web01 old TLS 2']);
    const { rows } = await database.pool.query(
      `select distinct body ->> 'retiredReason' as reason from findings where state = 'Retired'`,
    );
    expect(rows).toEqual([{ reason: 'revoked' }]);
  });

  it('stay while another device of the source is that asset, and if another source reported them', async () => {
    await syncOf(unsealed, device('web01', 'd1'), device('web01', 'd2'), weakness('web01', 'old TLS', 'k1'));
    const other = { ...weakness('web01', 'telnet', 'k1'), source: { name: 'other' } };
    await syncOf(unsealed, other);
    await syncOf(unsealed, device('web02', 'd1'));
    expect(await failing()).toEqual(['web01 old TLS 1', 'web01 telnet 1']);
    await syncOf(unsealed, device('web02', 'd2'));
    expect(await failing()).toEqual(['web01 telnet 1']);
  });

  it('end at a sealed machine too', async () => {
    const sealer = new EventSealer(new SubjectKeysInMemory(), '*-laptop');
    await syncOf(sealer, device('ana-laptop', 'd1'), weakness('ana-laptop', 'old TLS', 'k1'));
    expect(await failing()).toHaveLength(1);
    await syncOf(sealer, device('ben-laptop', 'd1'));
    expect(await failing()).toEqual([]);
  });

  it('stay if the device gets the FQDN that its asset has', async () => {
    await append({ type: 'SettingsChanged', seenVersion: null, changes: { assetMatching: '"fqdn"' } });
    const stated = {
      ...device('web01', 'c1'),
      source: { name: 'cmdb' },
      entity: { type: 'machine', name: 'web01', entityAttributes: { fqdn: 'web01.acme.com' } },
    } as PulledSignal;
    await syncOf(unsealed, stated);
    await syncOf(unsealed, device('web01', 'd1'), weakness('web01', 'old TLS', 'k1'));
    expect(await failing()).toHaveLength(1);
    await syncOf(unsealed, device('web01.acme.com', 'd1'));
    expect(await failing()).toHaveLength(1);
  });

  it('end nowhere if the key of a sealed machine was destroyed: no asset is named so', async () => {
    const keys = new SubjectKeysInMemory();
    const sealer = new EventSealer(keys, '*-laptop');
    await syncOf(sealer, device('ana-laptop', 'd1'), weakness('ana-laptop', 'old TLS', 'k1'));
    keys.destroy(keys.keyOf('machine:ana-laptop'));
    await syncOf(sealer, device('ben-laptop', 'd1'));
    const { rows } = await database.pool.query('select entity_key, name from assets');
    expect(rows.map(({ entity_key }) => entity_key)).not.toContain('machine:erased');
  });

  it('stay without metadata: assets have only the statement about their first device', async () => {
    const rules = { importAssets: true, updateMetadata: false, overrideAccepted: false };
    const of = (...signals: PulledSignal[]) => sync({ ...connector(page('', 'w1', { signals })), rules });
    await of(device('10-9-8-7', 'd1'), weakness('10-9-8-7', 'old TLS', 'k1'));
    await of(device('10-9-8-7', 'd1'), device('10-9-8-7', 'd2'), weakness('10-9-8-7', 'telnet', 'k2'));
    expect(await failing()).toHaveLength(2);
    await of(device('web01', 'd1'), device('10-9-8-7', 'd2'));
    expect(await failing()).toContain('10-9-8-7 telnet 1');
  });
});

describe('the outcome of a sync', () => {
  const outcome = async () => {
    await new SyncOutcomes(database.db).count();
    const { counted, uploads, outcome: counts } = await row();
    return { counted, uploads, ...counts };
  };

  it('is counted once its pages are folded: created, updated and unchanged', async () => {
    const empty = pageOf({ watermark: null, progress: { done: 0, of: null } });
    await sync(connector(page('web01', 'w1'), empty, page('web02', 'w2')));
    const first = { counted: 2, uploads: 2, created: 2, updated: 0, unchanged: 0, assetsCreated: 2 };
    expect(await outcome()).toMatchObject(first);
    expect(await outcome()).toMatchObject(first);
    await sync(connector(page('web01', 'w1')));
    expect(await outcome()).toMatchObject({ counted: 1, created: 0, unchanged: 1 });
  });

  it('waits for a page that is not folded yet', async () => {
    const made = connector(page('web01', 'w1'), async () => {
      await fold();
      expect(await outcome()).toMatchObject({ counted: 1, created: 1 });
      return page('web02', 'w2');
    });
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await runner(made).run((await syncs.take(now))!, new AbortController().signal);
    expect(await outcome()).toMatchObject({ counted: 1, uploads: 2 });
    await fold();
    expect(await outcome()).toMatchObject({ counted: 2, created: 2 });
  });
});

describe('the queue', () => {
  it('has one unfinished sync of an integration at most, and gives each out once', async () => {
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await syncs.request(INTEGRATION, { action: 'catchUp' }, now);
    const taken = await Promise.all([syncs.take(now), syncs.take(now)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('ends syncs that a crash has interrupted as an error', async () => {
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    const { id } = (await syncs.take(now))!;
    const errors = [{ what: 'hosts page 1', message: 'damaged' }];
    await syncs.note(id, { percent: 0, counts: {}, errors, watermark: null, uploads: 0 });
    expect(await syncs.endInterrupted(now)).toBe(1);
    expect(await row()).toMatchObject({ stage: 'ERROR', status: 2, errors: [{ what: 'sync' }, errors[0]] });
    expect(await syncs.take(now)).toBeUndefined();
  });
});

describe('the schedule', () => {
  const requests = async () =>
    (await database.pool.query('select action, retry from syncs order by requested_at')).rows.map(
      ({ action, retry }) => `${action} ${retry}`,
    );
  /** Each a new one, as after a restart. */
  const schedule = () => new Schedule(database.db, log, syncs);

  it('asks at 01:15 UTC of the day, once, however many runs were missed', async () => {
    const due = Math.floor(T0 / DAY_MS) * DAY_MS + DAY_MS + 75 * 60_000;
    await schedule().request(due - 1);
    expect(await requests()).toEqual([]);
    await schedule().request(due + 10 * DAY_MS);
    await schedule().request(due + 10 * DAY_MS);
    expect(await requests()).toEqual(['catchUp 0']);
  });

  it('is read after the acts that the log has had when it began are folded, without waiting for later ones', async () => {
    const due = Math.floor(T0 / DAY_MS) * DAY_MS + DAY_MS + 75 * 60_000;
    const saved = (seenVersion: number, autoSyncDays: string): IntegrationSaved => ({
      ...SAVED,
      ...{ seenVersion, config: { ...SAVED.config, autoSyncDays }, secrets: [] },
    });
    await append(saved(1, 'null'), false);
    const begun = schedule();
    await begun.request(due);
    expect(await requests()).toEqual([]);
    await fold();
    await begun.request(due);
    expect(await requests()).toEqual([]);
    await append(saved(2, '1'));
    await append(saved(3, '7'), false);
    await begun.request(due);
    expect(await requests()).toEqual(['scheduled 0']);
  });

  it('repeats one that failed after 5, 15 and 60 minutes, by any collector', async () => {
    now = Math.floor(T0 / DAY_MS) * DAY_MS + DAY_MS + 75 * 60_000;
    await schedule().request(now);
    const run = async (made: Connector) =>
      runner(made).run((await syncs.take(now))!, new AbortController().signal);
    for (const minutes of [5, 15, 60]) {
      await run(connector(() => Promise.reject(new Error('away'))));
      now += minutes * 60_000;
      await schedule().request(now - 1);
      expect(await syncs.take(now)).toBeUndefined();
      await schedule().request(now);
    }
    expect(await requests()).toEqual(['scheduled 0', 'scheduled 1', 'scheduled 2', 'scheduled 3']);
    await run(connector(page('web01', 'w1')));
    await schedule().request(now + 5 * 60_000);
    expect(await requests()).toHaveLength(4);
  });

  it('repeats one that failed also after a manual one that was cancelled', async () => {
    now = Math.floor(T0 / DAY_MS) * DAY_MS + DAY_MS + 75 * 60_000;
    await sync(connector(() => Promise.reject(new Error('away'))));
    const { finished_at: failedAt } = await row();
    await syncs.request(INTEGRATION, { action: 'scheduled' }, now);
    await database.pool.query(
      `update syncs set action = 'manual', cancel_requested_at = now(), cancel_requested_by = 'ada'
       where stage = 'QUEUED'`,
    );
    expect(await syncs.endCancelled(now)).toBe(1);
    await schedule().request(Number(failedAt) + 5 * 60_000 - 1);
    expect(await requests()).toEqual(['scheduled 0', 'manual 0']);
    await schedule().request(Number(failedAt) + 5 * 60_000);
    expect(await requests()).toEqual(['scheduled 0', 'manual 0', 'scheduled 1']);
  });
});
