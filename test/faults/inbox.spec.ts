import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KafkaEventLog, type StoredRecord } from '#libs/event-log';
import { REFUSED_SIGNALS_TOPIC, SIGNALS_TOPIC } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { sendRecords } from '../fixtures/event-log/kafka-producer.ts';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { runs } from '../support/long-run.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const PARTITIONS = 3;
const HOSTS = 20;
const BATCH = 60;
/** Records that may wait to be read: the load never gets far ahead. */
const AHEAD_MAX = 1_000;
/** Of a batch, one record in so many is no signal. */
const REFUSED_EVERY = 6;

/** Takes turns with the faults of uploads. */
const ROTATION = { shares: 2, turn: 1, as: describeOwnKafka } as const;

describeInRun(ROTATION, 'two gateways that read the inbox', () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  let env: Record<string, string>;
  let log: KafkaEventLog;
  const gateways: StartedProgram[] = [];
  let projector: StartedProgram;

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [kafka, database] = await Promise.all([startKafka({ directory: `${dataDir}/kafka` }), testDatabase()]);
    env = {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers,
      LOG_PARTITIONS: `${PARTITIONS}`,
      KAFKA_INBOX: 'true',
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
    };
    gateways.push(await StartedProgram.start('gateway', env));
    gateways.push(await StartedProgram.start('gateway', env));
    projector = await StartedProgram.start('projector', env);
    log = new KafkaEventLog({ brokers: [kafka.brokers], partitions: PARTITIONS });
    const client = await ApiClient.signIn(gateways[0]!.url, ADMIN);
    const { version } = await client.get('/api/v3/settings');
    const settings = JSON.stringify({ version, jsonRequestsPerMinute: 1_000_000 });
    const { status } = await client.request('PATCH', '/api/v3/settings', settings, {
      'content-type': 'application/json',
    });
    expect(status).toBe(200);
  }, 300_000);

  afterAll(async () => {
    const codes = await Promise.all([...gateways, projector].map((program) => program?.stop()));
    await log?.close();
    await database?.drop();
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
    expect(codes).toEqual(codes.map(() => 0));
  }, 60_000);

  /** Sends until it is aborted; a batch whose answer was lost may be in the topic twice. */
  async function load(ended: AbortSignal): Promise<void> {
    for (let batch = 0; !ended.aborted; batch++) {
      await until('the load to go on', async () => ended.aborted || (await waiting()) < AHEAD_MAX);
      const records = Array.from({ length: BATCH }, (_, i) => {
        const host = `inbox${i % HOSTS}`;
        const signal = plainSignal(`finding ${i % HOSTS} of batch ${batch}`, host);
        return {
          key: host,
          value: i % REFUSED_EVERY === 0 ? `{"no": "signal ${i}"` : JSON.stringify(signal),
        };
      });
      await sendRecords(kafka.brokers, SIGNALS_TOPIC, records).catch(() => undefined);
    }
  }

  const restart = async (which: number): Promise<void> => {
    gateways[which] = await StartedProgram.start('gateway', env);
  };

  /** Resolves when the gateways have read further. */
  async function moves(): Promise<void> {
    const at = await position();
    await until('the inbox to be read', async () => (await position()) > at);
  }

  async function position(): Promise<number> {
    const { rows } = await database.pool.query(
      'select coalesce(sum(next_offset), 0) as at from inbox_positions',
    );
    return Number(rows[0].at);
  }

  /** Records that no gateway has read; unknown, and so many, while the broker is away. */
  async function waiting(): Promise<number> {
    try {
      const ends = await log.ends(SIGNALS_TOPIC);
      return ends.reduce((sum, end) => sum + end) - (await position());
    } catch {
      return AHEAD_MAX;
    }
  }

  async function heldBy(which: number): Promise<number> {
    const metrics = await (await fetch(`${gateways[which]!.url}/metrics`)).text();
    return Number(/^posture_partitions_held\{group="inbox",[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
  }

  async function recordsOf(topic: string): Promise<StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const [partition, end] of (await log.ends(topic)).entries()) {
      for await (const some of log.read(topic, partition, 0, end)) records.push(...some);
    }
    return records;
  }

  it('count each record once, and publish each refused one once, through kills, pauses and restarts (R-INBOX-3, R-INBOX-4)', async () => {
    const ending = new AbortController();
    const loading = load(ending.signal);
    await moves();
    for (let round = 0; round < runs(8); round++) {
      const which = round % 2;
      await gateways[which]!.kill();
      await moves();
      await restart(which);
      await moves();
    }
    process.kill(gateways[0]!.pid, 'SIGSTOP');
    await until('the other gateway to own all partitions', async () => (await heldBy(1)) === PARTITIONS);
    await moves();
    process.kill(gateways[0]!.pid, 'SIGCONT');
    await moves();
    await kafka.nodes[0]!.kill();
    await kafka.nodes[0]!.start();
    await moves();
    ending.abort();
    await loading;

    const sent = await recordsOf(SIGNALS_TOPIC);
    const ends = await log.ends(SIGNALS_TOPIC);
    await until(
      'the end of the inbox',
      async () => (await position()) === ends.reduce((sum, end) => sum + end),
    );
    for (const { log: said } of gateways) expect(said).not.toContain('was created again');
    const isSignal = ({ value }: StoredRecord) => value.includes('"version"');
    const placeOf = ({ partition, offset }: StoredRecord) => `${SIGNALS_TOPIC}/${partition}/${offset}`;
    const valid = sent.filter(isSignal).map(placeOf);
    const invalid = sent.filter((record) => !isSignal(record)).map(placeOf);
    expect(invalid.length).toBeGreaterThan(50);

    const refused = await recordsOf(REFUSED_SIGNALS_TOPIC);
    expect(refused.map(({ headers }) => headers['posture-source'])).toEqual(invalid);

    await until('the fold', async () => {
      const { rows } = await database.pool.query(
        'select count(*) as n from upload_progress where seen = event_count',
      );
      return Number(rows[0].n) >= valid.length;
    });
    const { rows: folded } = await database.pool.query(
      `select r.source, p.signals, p.counts from upload_progress p join upload_receipts r using (upload_id)`,
    );
    expect(folded.map(({ source }) => source).sort()).toEqual([...valid].sort());
    expect(folded.every(({ signals }) => Number(signals) === 1)).toBe(true);
    const names = new Set(sent.filter(isSignal).map(({ value }) => `${value}`));
    const created = folded.reduce((sum, { counts }) => sum + counts.created, 0);
    expect(created).toBe(names.size);
    await expectVerified(env);
  }, 600_000);
});
