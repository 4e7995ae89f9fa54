import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { INTAKE_TOPIC } from '#libs/intake';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { Sweeper, type SweepRound } from './sweeper.ts';

const MINUTE_MS = 60_000;

let now = Date.parse('2026-03-02T08:00:00.000Z');
let gateway: StartedGateway;
let client: ApiClient;
let sweeper: Sweeper;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  sweeper = new Sweeper(
    gateway.database.db,
    gateway.log,
    bareClock(() => now),
  );
});
beforeEach(async () => {
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

/** Time continues; tokens do not last so long. */
async function pass(ms: number): Promise<void> {
  now += ms;
  client = await gateway.client('admin');
}

/** The next round, after the fold has reached its start. */
async function round(partition: number, of = sweeper): Promise<SweepRound> {
  for (;;) {
    const done = await of.sweep(partition);
    if (done !== 'waiting') return done;
    await folded();
  }
}

/** Rounds until nothing is left to do. Returns how many events that took. */
async function sweep(): Promise<number> {
  let events = 0;
  for (let partition = 0; partition < gateway.log.partitions; partition += 1) {
    for (let quiet = 0; quiet < 2; ) {
      const { appended, isCut } = await round(partition);
      events += appended;
      quiet = appended > 0 || isCut ? 0 : quiet + 1;
    }
  }
  await folded();
  return events;
}

const folded = () =>
  until('the fold', async () => {
    const ends = await gateway.log.ends(INTAKE_TOPIC);
    const rows = await gateway.database.db
      .selectFrom('projection_positions')
      .select(['partition', 'next_offset'])
      .execute();
    return ends.every(
      (end, p) => end === 0 || rows.some((row) => row.partition === p && row.next_offset === end),
    );
  });

async function upload(...signals: object[]): Promise<void> {
  const entries = Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal]));
  const { status, body } = await client.zip(await zipOf(entries));
  expect({ status, body }).toMatchObject({ status: 200 });
  await client.folded(body.uploadId);
}

const findingOf = async (host: string, state = '') =>
  (await client.all(`/api/v3/findings?name=${host}${state && `&state=${state}`}`))[0];
const lastChange = async (id: string) => (await client.all(`/api/v3/findings/${id}/history`)).at(-1);
const send = (method: string, path: string, body: unknown) =>
  client.request(method, path, JSON.stringify(body));

/** A signal of a machine with an operating system. */
const machine = (name: string, os: string, given: object = {}) =>
  plainSignal('typed', name, {
    entity: { type: 'machine', name, entityAttributes: { tags: { os: [os] } } },
    ...given,
  });

/** Puts a pattern before the others. */
async function map(osPattern: string, assetType: string): Promise<void> {
  const path = '/settings/os-to-safe-asset-type-mapping';
  const mapping = await client.get(path);
  const row = { osPattern, assetType, attackSurface: 'Servers', supports: ['va'] };
  const { status } = await send('POST', path, { ...mapping, mappings: [row, ...mapping.mappings] });
  expect(status).toBe(200);
}

async function partitionOf(name: string): Promise<number> {
  const { db } = gateway.database;
  const row = await db
    .selectFrom('assets')
    .select('partition')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.partition;
}

async function eachPartition(work: (partition: number) => Promise<unknown>): Promise<void> {
  for (let partition = 0; partition < gateway.log.partitions; partition += 1) await work(partition);
}

describe('the sweep', () => {
  it('retires findings that have expired by the policy of their type; earlier reads already show this exactly (R-EXP-1)', async () => {
    await send('PATCH', '/api/v3/settings', { retirementDays: { va: 3, ca: 9 } });
    const configuration = { ...plainSignal('expiring ca', 'expiring') };
    configuration.securityContext = { ...configuration.securityContext, type: 'ca' };
    await upload(plainSignal('expiring va', 'expiring'), configuration);
    const { id } = await findingOf('expiring%20va');
    await pass(3 * DAY_MS);
    expect((await client.get(`/api/v3/findings/${id}`)).state).toBe('Retired');
    expect((await lastChange(id)).change).toBe('created');
    expect(await sweep()).toBe(1);
    expect(await lastChange(id)).toMatchObject({
      change: 'retired',
      reason: 'expired',
      at: new Date(now).toISOString(),
      cause: { kind: 'system' },
    });
    expect((await findingOf('expiring%20ca')).state).toBe('Failed');
    expect(await sweep()).toBe(0);
  });

  it('ends an acceptance on its date', async () => {
    await upload(plainSignal('lent', 'lent', { expiresAt: new Date(now + 60 * DAY_MS).toISOString() }));
    const { id } = await findingOf('lent');
    const end = new Date(now + DAY_MS).toISOString();
    expect((await send('POST', `/api/v3/findings/${id}/accept`, { rationale: 'x', until: end })).status).toBe(
      200,
    );
    await pass(DAY_MS - 1);
    expect(await sweep()).toBe(0);
    await pass(1);
    expect(await sweep()).toBe(1);
    expect(await lastChange(id)).toMatchObject({ to: 'NotAssessed', reason: 'acceptanceEnded' });
  });

  it('ends findings without a signal within the retention, and their asset (R-EXP-5, R-DEL-1)', async () => {
    const far = { expiresAt: new Date(now + 400 * DAY_MS).toISOString() };
    await upload(plainSignal('forgotten', 'forgotten', far), plainSignal('kept', 'kept', far));
    const [asset] = await client.all('/api/v3/assets?name=forgotten');
    const { id } = await findingOf('forgotten');
    await pass(60 * DAY_MS);
    await upload(plainSignal('kept', 'kept', far));
    await pass(31 * DAY_MS);
    await sweep();
    expect(await lastChange(id)).toMatchObject({ change: 'retired', reason: 'retention' });
    await pass(MINUTE_MS);
    await sweep();
    expect(await client.all('/api/v3/assets?name=forgotten')).toEqual([]);
    expect(await client.all('/api/v3/assets?name=kept')).toHaveLength(1);
    expect((await client.get(`/api/v3/assets/${asset.id}`)).deletedAt).not.toBeNull();
    await upload(plainSignal('forgotten', 'forgotten', far));
    expect((await client.all('/api/v3/assets?name=forgotten'))[0].id).toBe(asset.id);
    expect((await findingOf('forgotten')).id).toBe(id);
  });

  it('keeps assets without data if deleteAssetsWithoutData is off (R-DEL-1)', async () => {
    await upload(plainSignal('idle', 'idle', { entityOnly: true, securityContext: undefined }));
    await send('PATCH', '/api/v3/settings', { deleteAssetsWithoutData: false });
    await pass(91 * DAY_MS);
    await sweep();
    expect(await client.all('/api/v3/assets?name=idle')).toHaveLength(1);
    await send('PATCH', '/api/v3/settings', { deleteAssetsWithoutData: true });
    await sweep();
    expect(await client.all('/api/v3/assets?name=idle')).toEqual([]);
  });

  it('types existing assets by a new mapping, only those whose type changes (R-ASSET-11)', async () => {
    await upload(machine('mapped01', 'CentOS 7'), machine('mapped02', 'Windows Server 2022'));
    await map('centos 7*', 'Legacy');
    expect(await sweep()).toBe(1);
    expect((await client.all('/api/v3/assets?name=mapped01'))[0]).toMatchObject({ type: 'Legacy' });
    expect((await client.all('/api/v3/assets?name=mapped02'))[0].type).not.toBe('Legacy');
    expect(await sweep()).toBe(0);
  });

  it('types by the last of several mappings, of which it has seen none before', async () => {
    await upload(machine('twice', 'Debian 4'));
    await map('debian 4*', 'Once');
    await upload(machine('twice', 'Debian 4'), machine('once', 'Debian 4'));
    await map('debian 4*', 'Twice');
    expect(await sweep()).toBe(2);
    for (const name of ['twice', 'once'])
      expect((await client.all(`/api/v3/assets?name=${name}`))[0].type).toBe('Twice');
  });

  it('types machines that an earlier mapping gave the type of users', async () => {
    await map('amiga 1*', 'User');
    await upload(machine('desk', 'Amiga 1'));
    await map('amiga 1*', 'Workstation');
    expect(await sweep()).toBe(1);
    expect((await client.all('/api/v3/assets?name=desk'))[0].type).toBe('Workstation');
  });

  it('types an operating system that another source overrules', async () => {
    const from = (name: string, os: string) => machine('overruled', os, { source: { name } });
    await upload(from('first', 'Debian 9'));
    now += 1;
    await upload(from('second', 'CentOS 9'));
    await map('debian 9*', 'Overruled');
    expect(await sweep()).toBe(1);
    const [{ id, os, type }] = await client.all('/api/v3/assets?name=overruled');
    expect({ os, type }).toEqual({ os: 'CentOS 9', type: 'CentOS' });
    const { statements } = await client.get(`/api/v3/assets/${id}`);
    expect(statements).toMatchObject([
      { source: 'first', values: { os: 'Debian 9', type: 'Overruled' } },
      { source: 'second', values: { os: 'CentOS 9', type: 'CentOS' } },
    ]);
    expect(await sweep()).toBe(0);
  });

  it('keeps a type that a source gave explicitly', async () => {
    const entityAttributes = { type: 'CentOS 7', tags: { os: ['Windows 11'] } };
    const entity = { type: 'machine', name: 'explicit', entityAttributes };
    await upload(plainSignal('typed', 'explicit', { entity }), machine('by os', 'CentOS 7'));
    const [{ type }] = await client.all('/api/v3/assets?name=by%20os');
    expect((await client.all('/api/v3/assets?name=explicit'))[0]).toMatchObject({ type, os: 'Windows 11' });
    await map('zzz*', 'Other');
    expect(await sweep()).toBe(0);
    expect((await client.all('/api/v3/assets?name=explicit'))[0].type).toBe(type);
  });

  it('types assets that return after that, also by a signal without an operating system (R-ASSET-11)', async () => {
    const only = { entityOnly: true, securityContext: undefined };
    await upload(machine('returning', 'Debian 3', only));
    await pass(91 * DAY_MS);
    await sweep();
    expect(await client.all('/api/v3/assets?name=returning')).toEqual([]);
    await map('debian 3*', 'Returned');
    expect(await sweep()).toBe(0);
    await upload(plainSignal('back', 'returning'));
    expect((await client.all('/api/v3/assets?name=returning'))[0].type).not.toBe('Returned');
    expect(await sweep()).toBe(1);
    expect((await client.all('/api/v3/assets?name=returning'))[0].type).toBe('Returned');
    expect(await sweep()).toBe(0);
  });

  it('types nothing that it deletes in the same round after that', async () => {
    await upload(machine('ending', 'CentOS 8', { entityOnly: true, securityContext: undefined }));
    await map('centos 8*', 'Ending');
    // One sees the mapping, one waits for the fold.
    for (let i = 0; i < 2; i += 1) await eachPartition((partition) => round(partition));
    await pass(91 * DAY_MS);
    await eachPartition((partition) => round(partition));
    await folded();
    const changes = await gateway.database.db
      .selectFrom('asset_history')
      .innerJoin('assets', 'assets.asset_no', 'asset_history.asset_no')
      .select(['change', 'type'])
      .where('name', '=', 'ending')
      .orderBy('sequence')
      .execute();
    expect(changes.map(({ change }) => change)).toEqual(['created', 'updated', 'deleted']);
    expect(changes[0]!.type).toBe('Ending');
  });

  it('continues immediately while unchecked assets remain', async () => {
    await upload(machine('behind', 'Debian 6'));
    await sweep();
    const partition = await partitionOf('behind');
    const { pool } = gateway.database;
    await pool.query(
      `insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                           custom_fields, state)
       select n, gen_random_uuid(), $1, 'machine:before' || n, '', '', '', '', '', '{}', '{}', '{"os": null}'
         from generate_series(1, 1000) n`,
      [partition],
    );
    await map('debian 6*', 'Behind');
    await folded();
    const rounds: SweepRound[] = [];
    for (let i = 0; i < 4; i += 1) rounds.push(await round(partition));
    await pool.query('delete from assets where asset_no <= 1000');
    expect(rounds).toEqual([
      { appended: 0, isCut: false },
      { appended: 0, isCut: true },
      { appended: 0, isCut: true },
      { appended: 1, isCut: false },
    ]);
    await sweep();
  });

  it('types again only when all records before the new mapping are folded', async () => {
    await upload(machine('late', 'Debian 5'));
    await sweep();
    const partition = await partitionOf('late');
    await map('debian 5*', 'Late');
    await folded();
    const { log } = gateway;
    const ahead = {
      append: (...given: Parameters<typeof log.append>) => log.append(...given),
      ends: async (topic: string) => (await log.ends(topic)).map((end) => end + 1),
    } as unknown as typeof log;
    const waiting = new Sweeper(
      gateway.database.db,
      ahead,
      bareClock(() => now),
    );
    expect(await waiting.sweep(partition)).toEqual({ appended: 0, isCut: false });
    expect(await waiting.sweep(partition)).toEqual({ appended: 0, isCut: true });
    for (let i = 0; i < 2; i += 1) expect(await waiting.sweep(partition)).toBe('waiting');
    // A JSON signal changes no type.
    expect((await client.signal(plainSignal('more', 'late'))).status).toBe(200);
    await folded();
    expect(await waiting.sweep(partition)).toEqual({ appended: 1, isCut: false });
    await sweep();
  });

  it('appends nothing more to a partition before the last round is folded', async () => {
    const log = { ...gateway.log, partitions: gateway.log.partitions } as typeof gateway.log;
    log.append = async (_, records) =>
      records.map(() => ({ partition: 0, offset: Number.MAX_SAFE_INTEGER - 1 }));
    const stuck = new Sweeper(
      gateway.database.db,
      log,
      bareClock(() => now + 200 * DAY_MS),
    );
    const first: number[] = [];
    await eachPartition(async (partition) => {
      const { appended } = (await stuck.sweep(partition)) as SweepRound;
      first.push(appended);
      const nothing = { appended: 0, isCut: false };
      expect(await stuck.sweep(partition)).toEqual(appended === 0 ? nothing : 'waiting');
    });
    expect(Math.max(...first)).toBeGreaterThan(0);
  });
});
