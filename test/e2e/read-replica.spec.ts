import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import {
  type Database,
  type EmbeddedPostgres,
  onOneCore,
  openDatabase,
  openReadReplica,
  type ReplicaState,
  startEmbeddedPostgres,
} from '#libs/database';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { Gate } from '../support/gate.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { StandbyPostgres } from '../support/standby-postgres.ts';
import { describeSystemPostgres } from '../support/system-postgres.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

/** A statement that a change of the primary disturbs is cancelled at once. */
const SETTINGS = { shared_buffers: '32MB', max_connections: '60', max_standby_streaming_delay: '0' };

describeSystemPostgres('with a read replica', () => {
  let folder: string;
  let primary: EmbeddedPostgres;
  let standby: StandbyPostgres;
  /** The address of the primary. */
  let gate: Gate;
  let standbyGate: Gate;
  let onPrimary: Database;
  let onStandby: Database;
  let site: StandaloneHere;
  let client: ApiClient;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'replica-')));
    await chmod(folder, 0o777);
    primary = await startEmbeddedPostgres({
      directory: join(folder, 'primary'),
      settings: SETTINGS,
      log: () => {},
    });
    standby = await StandbyPostgres.of(primary, join(folder, 'standby'), SETTINGS);
    onPrimary = openDatabase(primary.url, { max: 2 });
    onStandby = openDatabase(standby.url, { max: 2, isStandbyEnough: true });
    gate = await Gate.before(primary.url);
    standbyGate = await Gate.before(standby.url);
    await Promise.all([gate.open(), standbyGate.open()]);
    site = await StandaloneHere.start({ DATABASE_URL: gate.url, DATABASE_READ_URL: standbyGate.url });
    client = await site.client();
  });
  afterAll(async () => {
    await site?.stopAndRemove();
    await gate?.shut();
    await standbyGate?.shut();
    await onStandby?.close();
    await onPrimary?.close();
    await standby?.stop();
    await primary?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const reads = async (server: 'replica' | 'primary'): Promise<number> => {
    const text = await (await fetch(`${site.url}/metrics`)).text();
    return Number(text.split(`posture_database_reads_total{server="${server}"} `)[1]!.split('\n')[0]);
  };

  /** What lists, counts, an export and a state as of an instant show of a signal just folded. */
  async function seen(name: string) {
    const { status } = await client.signal(plainSignal(name, 'host1'), { prefer: 'wait=10' });
    expect(status).toBe(200);
    const asOf = new Date().toISOString();
    const filter = `q=${encodeURIComponent(`"${name}"`)}`;
    return {
      listed: (await client.get(`/api/v3/findings?${filter}`)).items.length,
      counted: (await client.get(`/api/v3/findings/counts?${filter}`)).total,
      past: (await client.get(`/api/v3/findings?${filter}&asOf=${asOf}`)).items.length,
    };
  }

  it('lists, counts and past states come from it, and show what was just written', async () => {
    const before = await reads('primary');
    for (let i = 0; i < 20; i++)
      expect(await seen(`written ${i} of many`)).toEqual({ listed: 1, counted: 1, past: 1 });
    expect(await reads('replica')).toBeGreaterThanOrEqual(60);
    expect(await reads('primary')).toBe(before);
  });

  it('the primary answers while the replica is behind', async () => {
    await onStandby.pool.query('select pg_wal_replay_pause()');
    expect(await seen('written while it stands still')).toEqual({ listed: 1, counted: 1, past: 1 });
    expect(site.log).toContain('the read replica is behind');
    await onStandby.pool.query('select pg_wal_replay_resume()');
    await until('the replica is in use again', async () => {
      await client.get('/api/v3/findings');
      return site.log.includes('the read replica is in use again');
    });
  });

  it('the primary answers while the replica is away', async () => {
    await standby.kill();
    expect(await seen('written while it is away')).toEqual({ listed: 1, counted: 1, past: 1 });
    expect(site.log).toContain('the read replica cannot be used');
    await standby.restart();
    const before = await reads('replica');
    await until('the replica is in use again', async () => {
      await client.get('/api/v3/findings');
      return (await reads('replica')) > before;
    });
    await expectVerified(site.env);
  });

  it('the primary answers soon after the machine of the replica is gone without a word', async () => {
    expect(await seen('written with a replica')).toEqual({ listed: 1, counted: 1, past: 1 });
    standbyGate.mute();
    const begun = performance.now();
    expect(await seen('written while it is silent')).toEqual({ listed: 1, counted: 1, past: 1 });
    // A statement may take as long.
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(site.log).toContain('Query read timeout');
  });

  it('reads nothing from a standby at the address of the primary, and continues when the primary is there again', async () => {
    await onStandby.pool.query('select pg_wal_replay_pause()');
    expect(await seen('written before the standby has it')).toEqual({ listed: 1, counted: 1, past: 1 });
    const isUploaded = async () =>
      (await client.signal(plainSignal('written again', 'host1'))).status === 200;
    gate.target = new URL(standby.url);
    gate.cut();
    await until('the uploads fail', async () => !(await isUploaded()));
    expect((await client.request('GET', '/api/v3/findings')).status).toBe(503);
    gate.target = new URL(primary.url);
    // Connections that were made to the standby would last.
    await until('the uploads succeed', isUploaded);
    expect(await seen('written after the standby')).toEqual({ listed: 1, counted: 1, past: 1 });
    expect(site.log).toContain('the server of DATABASE_URL is a standby');
    expect(site.log).not.toContain('a partition stopped');
    await onStandby.pool.query('select pg_wal_replay_resume()');
    await expectVerified(site.env);
  });

  describe('a statement', () => {
    let states: ReplicaState[];
    let servers: string[];
    let replica: Pick<Database, 'db' | 'close'>;
    const open = (url: string, max?: number) => {
      states = [];
      servers = [];
      replica = openReadReplica(url, onPrimary, {
        ...(max !== undefined && { max }),
        onState: (state) => states.push(state),
        onRead: (server) => servers.push(server),
      });
    };
    const numbers = sql<{
      n: number;
    }>`select count(*) as n from numbers, lateral (select pg_sleep(numbers.i * 0)) slow`;
    const slowly = sql<{ n: number }>`select count(*) as n from numbers where pg_sleep(0.1) is not null`;

    beforeAll(() => onPrimary.pool.query('create table numbers as select i from generate_series(1, 100) i'));
    afterEach(() => replica.close());

    const untilRunning = () =>
      until('the statement runs', async () => {
        const { rows } = await onStandby.pool.query(
          `select from pg_stat_activity where query like '%pg_sleep(0.1)%' and pid <> pg_backend_pid() and state = 'active'`,
        );
        return rows.length > 0;
      });

    /** Once the replica runs the statement, takes a lock on the primary that cancels it there. */
    const disturb = async () => {
      await untilRunning();
      await onPrimary.pool.query('alter table numbers add column if not exists other int');
      await onPrimary.pool.query('alter table numbers drop column other');
    };

    it('that the replica cancels runs on the primary', async () => {
      open(standby.url);
      const [{ rows }] = await Promise.all([slowly.execute(replica.db), disturb()]);
      expect(rows).toEqual([{ n: 100 }]);
      expect(servers).toEqual(['primary']);
      expect((await numbers.execute(replica.db)).rows).toEqual([{ n: 100 }]);
      expect(servers).toEqual(['primary', 'replica']);
    });

    it('of a transaction too', async () => {
      open(standby.url);
      const [{ rows }] = await Promise.all([onOneCore(replica.db, (trx) => slowly.execute(trx)), disturb()]);
      expect(rows).toEqual([{ n: 100 }]);
      expect(servers).toEqual(['replica', 'replica', 'primary', 'primary']);
    });

    it('runs on the primary while all connections to the replica are in use', async () => {
      open(standby.url, 1);
      // Between its statements the transaction has no snapshot, which a change of the primary could cancel.
      await onOneCore(replica.db, async () => {
        expect((await numbers.execute(replica.db)).rows).toEqual([{ n: 100 }]);
        expect({ servers, states }).toEqual({ servers: ['replica', 'replica', 'primary'], states: [] });
      });
      expect(servers.slice(3)).toEqual(['replica']);
    });

    it('runs on the primary at once also if several ask for the last connections to the replica together', async () => {
      open(standby.url, 2);
      const together = async (count: number) => {
        let begun = 0;
        const hold = async () => {
          begun += 1;
          await until('all have begun', () => begun === count);
        };
        await Promise.all(Array.from({ length: count }, () => onOneCore(replica.db, hold)));
      };
      await together(2);
      expect(servers).not.toContain('primary');
      await together(4);
      expect(states).toEqual([]);
      expect(servers.filter((server) => server === 'primary')).toHaveLength(2);
    });

    it('that writes fails', async () => {
      open(standby.url);
      await expect(sql`delete from numbers`.execute(replica.db)).rejects.toMatchObject({ code: '25006' });
    });

    it('runs on the primary if the server is no replica', async () => {
      open(primary.url);
      expect((await numbers.execute(replica.db)).rows).toEqual([{ n: 100 }]);
      expect({ servers, states }).toEqual({ servers: ['primary'], states: ['away'] });
    });
  });
});
