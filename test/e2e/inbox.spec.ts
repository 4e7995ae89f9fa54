import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { INBOX_TOPICS, KafkaEventLog, openTopics, type StoredRecord } from '#libs/event-log';
import { REFUSED_SIGNALS_TOPIC, SIGNALS_TOPIC } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { withAdmin } from '../fixtures/event-log/kafka-fixture.ts';
import { type SentRecord, sendRecords } from '../fixtures/event-log/kafka-producer.ts';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { tablesWithTraces, topicsWithTraces, tracesOf } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const PARTITIONS = 2;
const PERSON = 'zqperson';
const ANA = `Ana.${PERSON}@acme.com`;

const recordOf = (name: string, host: string, given: Record<string, unknown> = {}): SentRecord => ({
  key: host,
  value: JSON.stringify(plainSignal(name, host, given)),
});

describeOwnKafka('the inbox', () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  let env: Record<string, string>;
  let service: StandaloneHere;
  let client: ApiClient;
  let log: KafkaEventLog;
  let python: string;

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [kafka, database] = await Promise.all([startKafka({ directory: `${dataDir}/kafka` }), testDatabase()]);
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      KAFKA_BROKERS: kafka.brokers,
      LOG_PARTITIONS: `${PARTITIONS}`,
      KAFKA_INBOX: 'true',
      SEAL_PERSONAL_TEXTS: 'true',
    };
    log = new KafkaEventLog({ brokers: [kafka.brokers], partitions: PARTITIONS });
    python = await pythonWith('test/consumers/requirements.txt');
    await start();
  }, PYTHON_MS_MAX);

  afterAll(async () => {
    await service?.stopAndRemove();
    await log?.close();
    await database?.drop();
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  async function start(): Promise<void> {
    service = await StandaloneHere.start(env);
    client = await service.client();
  }

  async function sendFromPython(
    compression: string,
    ending: 'plain' | 'committed' | 'aborted',
    records: SentRecord[],
  ): Promise<void> {
    const script = 'test/fixtures/inbox/send_records.py';
    const child = spawn(python, [script, kafka.brokers, SIGNALS_TOPIC, compression, ending], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.stdin!.end(records.map((record) => JSON.stringify(record)).join('\n'));
    expect(await once(child, 'close')).toEqual([0, null]);
  }

  /** Resolves when all records of the inbox are read, and their events are folded. */
  async function untilRead(): Promise<void> {
    await until('the inbox to be read', async () => {
      const ends = await log.ends(SIGNALS_TOPIC);
      const { rows } = await database.pool.query('select partition, next_offset from inbox_positions');
      const next = new Map(rows.map((row) => [row.partition, Number(row.next_offset)]));
      const last = await Promise.all(ends.map((end, partition) => lastOffset(partition, end)));
      // A position after the end belongs to the topic before this one.
      return last.every((offset, partition) => {
        const position = next.get(partition) ?? 0;
        return position > offset && position <= ends[partition]!;
      });
    });
    await until('the fold of the uploads', async () =>
      (await inboxUploads()).every(({ done }: { done: boolean }) => done),
    );
  }

  /** Markers of transactions have offsets, too. */
  async function lastOffset(partition: number, end: number): Promise<number> {
    const records = await recordsOf(SIGNALS_TOPIC, partition, end);
    return records.at(-1)?.offset ?? -1;
  }

  async function recordsOf(topic: string, partition: number, end = Number.MAX_SAFE_INTEGER) {
    const records: StoredRecord[] = [];
    const [first] = [(await log.starts(topic))[partition]!];
    for await (const some of log.read(topic, partition, first, end)) records.push(...some);
    return records;
  }

  const inboxUploads = async () =>
    (await client.all('/api/v3/uploads')).filter(({ kind }: { kind: string }) => kind === 'inbox');

  async function refused(): Promise<StoredRecord[]> {
    const all = await Promise.all([0, 1].map((partition) => recordsOf(REFUSED_SIGNALS_TOPIC, partition)));
    return all.flat();
  }

  const findings = (name: string) => client.all(`/api/v3/findings?name=${encodeURIComponent(name)}`);

  it('takes each record as an upload that names it as its source (R-INBOX-1, R-INBOX-2)', async () => {
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [
      recordOf('inbox first', 'inbox-a'),
      recordOf('inbox second', 'inbox-a'),
      recordOf('inbox expired', 'inbox-b', { expiresAt: '2020-01-01T00:00:00Z' }),
    ]);
    await untilRead();
    const uploads = await inboxUploads();
    expect(uploads).toHaveLength(3);
    for (const upload of uploads) {
      expect(upload).toMatchObject({ by: null, accepted: 1, rejected: 0, done: true });
      expect(upload.source).toMatch(/^posture\.signals\/[01]\/\d+$/);
    }
    expect(new Set(uploads.map(({ source }) => source)).size).toBe(3);
    expect(uploads.map(({ outcome }) => outcome.created).sort()).toEqual([0, 1, 1]);
    expect(uploads.map(({ outcome }) => outcome.ignored)).toContainEqual({ expired: 1 });
    const [finding] = await findings('inbox first');
    const { items } = await client.get(`/api/v3/findings/${finding.id}/history`);
    expect(items[0].cause).toMatchObject({ kind: 'inbox', user: null });
    expect(uploads.map(({ source }) => source)).toContain(items[0].cause.requestId);
    await expectVerified(env);
  });

  it('refuses what an upload refuses, for the same reasons, and takes what is next to it (R-INBOX-4)', async () => {
    const bodies = [
      '{"version": "1.0"',
      '[]',
      '{}',
      JSON.stringify(plainSignal('bad', 'bad', { name: 5, entity: { type: 'printer', name: 'bad' } })),
      JSON.stringify(plainSignal('bad', '')),
      `${'['.repeat(2_000)}`,
    ];
    const before = (await inboxUploads()).length;
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [
      ...bodies.map((value, i) => ({
        key: `bad-${i}`,
        value,
        headers: { origin: `program ${i}`, 'posture-reasons': 'of an earlier refusal' },
      })),
      { key: 'bad-utf8', value: Buffer.from([0x7b, 0xff, 0x7d]) },
      { key: 'bad-empty', value: null },
      { key: null, value: `"${'x'.repeat(1_048_577)}"` },
      { key: 'bad-headers', value: '{}', headers: { small: 'kept', large: 'x'.repeat(20_000) } },
      recordOf('inbox beside', 'inbox-beside'),
    ]);
    await untilRead();
    const records = new Map((await refused()).map((record) => [record.key, record]));
    expect(records.size).toBe(10);
    for (const [i, body] of bodies.entries()) {
      const { value, headers } = records.get(`bad-${i}`)!;
      const overHttp = await client.signal(body);
      expect(overHttp.status).toBe(400);
      expect(value.toString()).toBe(body);
      expect(JSON.parse(headers['posture-reasons']!)).toEqual(overHttp.body.errors);
      expect(headers).toMatchObject({ origin: `program ${i}` });
      expect(headers['posture-source']).toMatch(/^posture\.signals\/[01]\/\d+$/);
      expect(Date.parse(headers['posture-stored-at']!)).toBeGreaterThan(Date.now() - 3_600_000);
    }
    expect(records.get('bad-utf8')!.value).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
    expect(records.get('bad-empty')!.value).toHaveLength(0);
    const large = records.get('')!;
    expect(large.value).toHaveLength(1_048_576);
    expect(large.headers).toMatchObject({
      'posture-reasons': '[{"field":"","message":"must have at most 1048576 bytes"}]',
      'posture-value-bytes': '1048579',
    });
    const { headers } = records.get('bad-headers')!;
    expect(headers).toMatchObject({ small: 'kept', 'posture-headers-omitted': '1' });
    expect(headers).not.toHaveProperty('large');
    expect(await inboxUploads()).toHaveLength(before + 1);
    expect(await findings('inbox beside')).toHaveLength(1);
  });

  it('reads what other clients compress and commit, and nothing that they abort (R-INBOX-2)', async () => {
    for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd']) {
      const records = Array.from({ length: 50 }, (_, i) =>
        recordOf(`by ${compression} ${i}`, `python-${i % 7}`),
      );
      await sendFromPython(compression, 'plain', records);
    }
    await sendFromPython('zstd', 'committed', [recordOf('committed one', 'python-1')]);
    await sendFromPython('zstd', 'aborted', [recordOf('aborted one', 'python-1')]);
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [recordOf('after all', 'python-1')]);
    await untilRead();
    for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd']) {
      expect(await findings(`by ${compression} `)).toHaveLength(50);
    }
    expect(await findings('committed one')).toHaveLength(1);
    expect(await findings('aborted one')).toHaveLength(0);
    expect(await findings('after all')).toHaveLength(1);
    await expectVerified(env);
  });

  it('seals texts about persons at the edge, and stores no refused record (R-INBOX-5)', async () => {
    const entity = { type: 'user', name: ANA };
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [
      { key: 'person', value: JSON.stringify(plainSignal('leaked', '', { entity, description: PERSON })) },
      {
        key: 'person',
        value: JSON.stringify(plainSignal('leaked', '', { entity: { ...entity, type: 'printer' } })),
      },
    ]);
    await untilRead();
    const [finding] = await findings('leaked');
    expect(await client.get(`/api/v3/assets/${finding.assetId}`)).toMatchObject({ name: entity.name });
    expect((await refused()).filter(({ value }) => value.includes(PERSON))).toHaveLength(1);
    expect(await tablesWithTraces(database.pool, tracesOf([PERSON]))).toEqual([]);
    expect(await topicsWithTraces(log, tracesOf([PERSON]))).toMatchObject({ found: [] });
  });

  it('has no effect if records are read again, also about a person who was erased since (R-INBOX-3)', async () => {
    const erased = await client.request(
      'POST',
      '/api/v3/erasures',
      JSON.stringify({ subject: { type: 'user', name: ANA }, reason: 'a request' }),
      { 'content-type': 'application/json' },
    );
    expect([erased.status, erased.body.keyDestroyedAt]).toEqual([200, expect.any(String)]);
    const state = async () => ({
      uploads: await inboxUploads(),
      findings: await client.all('/api/v3/findings'),
      refused: (await refused()).map(({ headers }) => headers['posture-source']),
    });
    const before = await state();
    expect(before.uploads.length).toBeGreaterThan(250);
    await service.stopAndRemove();
    await database.pool.query('delete from inbox_positions');
    await start();
    await untilRead();
    const [, again] = /^posture_inbox_records_total\{outcome="accepted"\} (\d+)/m.exec(await metrics())!;
    expect(Number(again)).toBeGreaterThan(250);
    expect(await state()).toEqual(before);
    await expectVerified(env);
  });

  it('takes new records of a topic that was created again under the old offsets (R-INBOX-3)', async () => {
    await service.stopAndRemove();
    await withAdmin(kafka.brokers, async (admin) => {
      await admin.deleteTopics({ topics: [SIGNALS_TOPIC] });
    });
    const connection = { brokers: [kafka.brokers], partitions: PARTITIONS };
    await until('the topic to be created again', async () => {
      await openTopics({ ...connection, topics: INBOX_TOPICS });
      return (await log.ends(SIGNALS_TOPIC)).every((end) => end === 0);
    });
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [
      recordOf('after the topic', 'inbox-a'),
      recordOf('after the topic', 'inbox-b'),
      { key: 'inbox-a', value: 'not JSON' },
      { key: 'inbox-b', value: 'not JSON' },
    ]);
    const before = (await refused()).length;
    await start();
    await until('the new topic to be noticed', () => service.log.includes('the topic was created again'));
    await untilRead();
    expect(await findings('after the topic')).toHaveLength(2);
    expect(await refused()).toHaveLength(before + 2);
  });

  it('counts what the topic removed while the gateway waited, and continues (R-INBOX-8)', async () => {
    const { jsonRequestsPerMinute } = await client.get('/api/v3/settings');
    const limit = (jsonRequestsPerMinute: number) =>
      client.request('PATCH', '/api/v3/settings', JSON.stringify({ jsonRequestsPerMinute }), {
        'content-type': 'application/json',
      });
    expect((await limit(1)).status).toBe(200);
    // More than the part of the former quota that the gateway has left.
    const waiting = Array.from({ length: 400 }, (_, i) => recordOf(`inbox removed ${i}`, 'inbox-a'));
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, waiting);
    await until('the gateway to wait', async () =>
      /^posture_inbox_pauses_total\{reason="json_minute"\} [1-9]/m.test(await metrics()),
    );
    const ends = await log.ends(SIGNALS_TOPIC);
    for (const [partition, end] of ends.entries()) await log.trim(SIGNALS_TOPIC, partition, end);
    await until('the loss', async () =>
      /^posture_inbox_records_total\{outcome="lost"\} [1-9]/m.test(await metrics()),
    );
    await limit(jsonRequestsPerMinute);
    await sendRecords(kafka.brokers, SIGNALS_TOPIC, [recordOf('inbox after the loss', 'inbox-a')]);
    await untilRead();
    expect(await findings('inbox after the loss')).toHaveLength(1);
    expect(service.log).toMatch(/the topic removed up to \d+ records before they were read/);
    expect(service.log).not.toContain('a partition stopped');
    await expectVerified(env);
  });

  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();

  it('reports lag, outcomes and state (R-INBOX-6)', async () => {
    const text = await metrics();
    expect(text).toMatch(/^posture_inbox_lag_records\{partition="0"\} 0$/m);
    expect(text).toMatch(/^posture_inbox_records_total\{outcome="accepted"\} [1-9]/m);
    expect(text).toMatch(/^posture_inbox_records_total\{outcome="refused"\} [1-9]/m);
    expect(text).toMatch(/^posture_partitions_held\{group="inbox",topic="posture.signals"\} 2$/m);
    const ready = await (await fetch(`${service.url}/health/ready`)).json();
    expect(ready).toMatchObject({ dependencies: { inbox: 'up' } });
  });
});
