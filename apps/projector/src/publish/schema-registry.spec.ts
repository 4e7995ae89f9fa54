import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import avro from 'avsc';
import {
  ASSETS_TOPIC,
  type ChangeTopic,
  changeSchemas,
  encodeIntake,
  FINDINGS_TOPIC,
  subjectOf,
} from '#libs/contracts';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { Projection } from '#libs/projection';
import {
  ChangeCodecs,
  RegisteredSchemas,
  RegistryClient,
  type RegistryClientOptions,
} from '#libs/schema-registry';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { Gate } from '../../../../test/support/gate.ts';
import { signal, T0, upload } from '../../../../test/support/scenario.ts';
import { describeSchemaRegistry, queryRegistry } from '../../../../test/support/schema-registry.ts';
import { until } from '../../../../test/support/until.ts';
import { ChangePublishers } from './change-publishers.ts';
import { FoldBacklog } from './fold-backlog.ts';

const PARTITIONS = 20;
const TOPICS: ChangeTopic[] = [FINDINGS_TOPIC, ASSETS_TOPIC];

describeSchemaRegistry('publishing under the ids of a schema registry', (registryUrl) => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  let gate: Gate;
  let partition = -1;
  let nextOffset: number;
  let projector: Projection;
  const held: [ChangePublishers, number][] = [];
  const warnings: string[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(String(line)));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await log.close();
    await database.drop();
  });
  /** Each test has a partition, a registry without our subjects, and nothing remembered. */
  beforeEach(async () => {
    partition += 1;
    nextOffset = 0;
    projector = new Projection(database.db);
    await projector.open(partition);
    gate = await Gate.before(registryUrl());
    await database.db.deleteFrom('registered_schemas').execute();
    for (const subject of await queryRegistry<string[]>(registryUrl(), '/subjects')) await forget(subject);
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const [publishers, one] of held.splice(0)) await publishers.release(one);
    await gate.shut();
  });

  async function forget(subject: string): Promise<void> {
    await queryRegistry(registryUrl(), `/subjects/${subject}`, { method: 'DELETE' });
    await queryRegistry(registryUrl(), `/subjects/${subject}?permanent=true`, { method: 'DELETE' });
  }

  async function fold(name: string): Promise<void> {
    const events = upload(partition * 1000 + nextOffset, T0 + nextOffset, [signal(name)], {
      entityKey: `machine:p${partition}`,
    });
    const records = events.map((event, i) => ({
      partition,
      offset: nextOffset + i,
      key: event.envelope.entityKey,
      value: encodeIntake(event),
      headers: {},
      storedAt: T0,
    }));
    nextOffset = await projector.project(records);
  }

  /** The publishers of a new process, which knows only the database. */
  function start(url: string | null = gate.url, options?: RegistryClientOptions): ChangePublishers {
    const client = url === null ? null : new RegistryClient(url, options);
    const codecs = new ChangeCodecs(client, new RegisteredSchemas(database.db, client));
    const publishers = new ChangePublishers(log, database.db, codecs, new FoldBacklog(Date.now));
    held.push([publishers, partition]);
    publishers.hold(partition);
    return publishers;
  }

  const stop = (publishers: ChangePublishers) => publishers.release(partition);

  async function published(topic: ChangeTopic): Promise<StoredRecord[]> {
    const records: StoredRecord[] = [];
    for await (const batch of log.read(topic, partition, 0, Number.MAX_SAFE_INTEGER)) records.push(...batch);
    return records;
  }

  const untilPublished = (topic: ChangeTopic, count: number) =>
    until(`${count} records on ${topic}`, async () => (await published(topic)).length >= count);
  const untilWarned = (sentence: string) =>
    until(sentence, () => warnings.some((line) => line.includes(sentence)));

  const idsOf = async (topic: ChangeTopic) =>
    (await published(topic)).map(({ value }) => value.readInt32BE(1));
  const idInRegistry = async (topic: ChangeTopic): Promise<number> =>
    (await queryRegistry(registryUrl(), `/subjects/${subjectOf(topic)}/versions/latest`)).id;

  /** The names of what changed, as subscribers read them that have the gateway as their registry. */
  async function namesOn(topic: ChangeTopic): Promise<string[]> {
    const schemas = new Map<number, string>();
    for (const { registryId, schema } of await new RegisteredSchemas(database.db, null).all())
      schemas.set(registryId, schema!);
    return (await published(topic)).map(({ value }) => {
      const schema = schemas.get(value.readInt32BE(1))!;
      return (avro.Type.forSchema(JSON.parse(schema)).decode(value, 5).value as { name: string }).name;
    });
  }

  const schemaOf = (topic: ChangeTopic) =>
    changeSchemas().findLast(({ subject }) => subject === subjectOf(topic))!.schema;

  it('registers each schema unchanged, and writes its id', async () => {
    await gate.open();
    await fold('a');
    start();
    for (const topic of TOPICS) {
      await untilPublished(topic, 1);
      const [id] = await idsOf(topic);
      expect(id).toBe(await idInRegistry(topic));
      const { schema } = await queryRegistry(registryUrl(), `/schemas/ids/${id}`);
      expect(JSON.parse(schema)).toEqual(schemaOf(topic));
    }
    expect(await queryRegistry(registryUrl(), '/subjects')).toEqual(
      expect.arrayContaining(TOPICS.map(subjectOf)),
    );
    expect(await namesOn(FINDINGS_TOPIC)).toEqual(['a']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['away', () => gate.shut(), 'does not respond (ECONNREFUSED)'],
    ['silent', () => gate.silence(), 'does not respond (no response within 200 ms)'],
  ])('waits for a registry that is %s, while the fold continues', async (_, takeAway, why) => {
    await takeAway();
    start(gate.url, { answerMsMax: 200 });
    await fold('a');
    await untilWarned(
      `${FINDINGS_TOPIC}: publishing paused, will retry: the schema registry at ${gate.url} ${why}`,
    );
    await fold('b');
    expect(nextOffset).toBe(2);
    expect(await published(FINDINGS_TOPIC)).toEqual([]);
    await gate.open();
    await untilPublished(FINDINGS_TOPIC, 2);
    expect(new Set(await idsOf(FINDINGS_TOPIC))).toEqual(new Set([await idInRegistry(FINDINGS_TOPIC)]));
  });

  it('stops immediately while it waits for a registry that does not answer', async () => {
    await gate.silence();
    await fold('a');
    const publishers = start(gate.url, { answerMsMax: 20_000 });
    const begun = performance.now();
    await stop(publishers);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('continues with the cached ids if it starts without the registry', async () => {
    await gate.open();
    await fold('a');
    const publishers = start();
    await untilPublished(FINDINGS_TOPIC, 1);
    await stop(publishers);
    await gate.shut();
    await fold('b');
    start();
    await untilPublished(FINDINGS_TOPIC, 2);
    const [first, second] = await idsOf(FINDINGS_TOPIC);
    expect(second).toBe(first);
    await untilWarned(`${FINDINGS_TOPIC} continues with the schema ids from the registry cache`);
  });

  it('uses the new ids of a registry that has lost its data; earlier records decode', async () => {
    await gate.open();
    await fold('a');
    const publishers = start();
    await untilPublished(FINDINGS_TOPIC, 1);
    await stop(publishers);
    await forget(subjectOf(FINDINGS_TOPIC));
    await fold('b');
    start();
    await untilPublished(FINDINGS_TOPIC, 2);
    const [first, second] = await idsOf(FINDINGS_TOPIC);
    expect(second).not.toBe(first);
    expect(second).toBe(await idInRegistry(FINDINGS_TOPIC));
    expect(await namesOn(FINDINGS_TOPIC)).toEqual(['a', 'b']);
  });

  it('says that a subject is taken by another schema, and publishes the other topic', async () => {
    await gate.open();
    const subject = subjectOf(FINDINGS_TOPIC);
    const other = { type: 'record', name: 'Other', fields: [{ name: 'n', type: 'int' }] };
    const body = { schema: JSON.stringify(other) };
    await queryRegistry(registryUrl(), `/subjects/${subject}/versions`, { method: 'POST', body });
    await queryRegistry(registryUrl(), `/config/${subject}`, {
      method: 'PUT',
      body: { compatibility: 'FULL' },
    });
    await fold('a');
    start();
    await untilPublished(ASSETS_TOPIC, 1);
    await untilWarned(
      `${FINDINGS_TOPIC}: publishing paused, will retry: the schema registry at ${gate.url} rejected ${subject}: `,
    );
    expect(warnings.join()).toMatch(/[Ii]ncompatible.*\(409\)/);
    expect(await published(FINDINGS_TOPIC)).toEqual([]);
    await fold('b');
    // Its next attempt would register the subject again before the second request.
    await gate.shut();
    await forget(subject);
    await gate.open();
    await untilPublished(FINDINGS_TOPIC, 2);
  });

  it('changes from fixed ids to a registry’s, and back, in the midst of a topic', async () => {
    await gate.open();
    for (const [name, url] of [
      ['fixed', null],
      ['registered', gate.url],
      ['fixed again', null],
    ] as const) {
      await fold(name);
      const publishers = start(url);
      await until(name, async () => (await namesOn(FINDINGS_TOPIC)).at(-1) === name);
      await stop(publishers);
    }
    const registered = await idInRegistry(FINDINGS_TOPIC);
    expect(await idsOf(FINDINGS_TOPIC)).toEqual([1010, registered, 1010]);
    expect(await namesOn(FINDINGS_TOPIC)).toEqual(['fixed', 'registered', 'fixed again']);
  });
});
