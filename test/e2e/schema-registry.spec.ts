import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import avro from 'avsc';
import { ASSETS_TOPIC, type ChangeTopic, changeSchemas, FINDINGS_TOPIC, subjectOf } from '#libs/contracts';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { Gate } from '../support/gate.ts';
import { describeSchemaRegistry, queryRegistry } from '../support/schema-registry.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const PARTITIONS = 2;
const PASSWORD = 'hunter2-of-the-registry';

describeSchemaRegistry('programs with a SCHEMA_REGISTRY_URL', (registryUrl) => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  let gate: Gate;
  let dataDir: string;
  let env: Record<string, string>;
  let gateway: StartedProgram;
  let client: ApiClient;
  const projectors: StartedProgram[] = [];

  beforeAll(async () => {
    [database, dataDir, gate] = await Promise.all([
      testDatabase(),
      temporaryDataDir(),
      Gate.before(registryUrl()),
    ]);
    log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      LOG_PARTITIONS: `${PARTITIONS}`,
      SCHEMA_REGISTRY_URL: gate.url.replace('http://', `http://ana:${PASSWORD}@`),
      ...ADMIN_ENV,
    };
    gateway = await StartedProgram.start('gateway', env);
    client = await ApiClient.signIn(gateway.url, ADMIN);
    await startProjector();
  }, 60_000);

  afterAll(async () => {
    const codes = await Promise.all([gateway, ...projectors].map((program) => program?.stop()));
    await gate?.shut();
    await log?.close();
    await database?.drop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
    expect(codes).toEqual(codes.map(() => 0));
  }, 60_000);

  async function startProjector(): Promise<void> {
    projectors.push(await StartedProgram.start('projector', env));
  }

  /** Answers when it is folded. */
  async function upload(name: string): Promise<void> {
    const { status } = await client.signal(plainSignal(name, 'web01'), { prefer: 'wait=30' });
    expect(status).toBe(200);
    expect(await client.all(`/api/v3/findings?name=${name}`)).toHaveLength(1);
  }

  async function published(topic: ChangeTopic): Promise<StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      for await (const batch of log.read(topic, partition, 0, Number.MAX_SAFE_INTEGER))
        records.push(...batch);
    }
    return records;
  }

  const untilPublished = (topic: ChangeTopic, count: number) =>
    until(`${count} records on ${topic}`, async () => (await published(topic)).length >= count, 30_000);

  const idOf = ({ value }: StoredRecord): number => value.readInt32BE(1);

  /** As a client of registries does, that knows nothing but the record. */
  async function decodedThrough(url: string, record: StoredRecord): Promise<unknown> {
    const { schema } = await queryRegistry(url, `/schemas/ids/${idOf(record)}`);
    const { value, offset } = avro.Type.forSchema(JSON.parse(schema)).decode(record.value, 5);
    expect(offset).toBe(record.value.length);
    return value;
  }

  it('fold while the registry is away, and publish when it is there', async () => {
    await upload('away');
    await until('a sentence', () =>
      projectors[0]!.log.includes(
        `${FINDINGS_TOPIC}: publishing paused, will retry: the schema registry at `,
      ),
    );
    expect(await published(FINDINGS_TOPIC)).toEqual([]);
    await gate.open();
    await untilPublished(FINDINGS_TOPIC, 1);
  }, 60_000);

  it('let a stranger decode each record through the registry and through the gateway alike', async () => {
    for (const topic of [FINDINGS_TOPIC, ASSETS_TOPIC] as const) {
      await untilPublished(topic, 1);
      const [record] = await published(topic);
      const decoded = await decodedThrough(registryUrl(), record!);
      expect(decoded).toMatchObject({ id: record!.key, change: { name: 'created' } });
      expect(await decodedThrough(gateway.url, record!)).toEqual(decoded);
      const released = changeSchemas().filter(({ subject }) => subject === subjectOf(topic));
      for (const url of [registryUrl(), gateway.url]) {
        const latest = await queryRegistry(url, `/subjects/${subjectOf(topic)}/versions/latest`);
        expect(latest).toMatchObject({ id: idOf(record!), version: released.length });
      }
    }
  });

  it('continue with the same ids when they restart without the registry', async () => {
    await gate.shut();
    await projectors.at(-1)!.stop();
    await startProjector();
    await upload('again');
    await untilPublished(FINDINGS_TOPIC, 2);
    const records = await published(FINDINGS_TOPIC);
    expect(new Set(records.map(idOf)).size).toBe(1);
    for (const record of records) {
      expect(await decodedThrough(gateway.url, record)).toMatchObject({ id: record.key });
    }
  }, 60_000);

  it('say no password', () => {
    const said = [gateway, ...projectors].map((program) => program.log).join('');
    expect(said).toContain('the schema registry at http://127.0.0.1:');
    expect(said).not.toContain(PASSWORD);
  });

  it('leave tables that equal the fold of the log', () => expectVerified(env), 60_000);
});
