import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import { type ChangeTopic, encodeIntake, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import { assetId, entityKey } from '#libs/domain';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { EventStream, type StreamedEvent } from '../support/event-stream.ts';
import { publishedFinding } from '../support/published-finding.ts';
import { event } from '../support/scenario.ts';
import { ADMIN, DEFAULT_PARTITIONS, StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const PARTITIONS = 12;
const HOSTS = 7;

let database: TestDatabase;
let program: StartedStandalone;
let client: ApiClient;
let token: string;
const streams: EventStream[] = [];

beforeAll(async () => {
  database = await testDatabase();
  await start();
}, 60_000);
afterAll(async () => {
  for (const stream of streams) stream.close();
  await program.stopAndRemove();
  await database.drop();
}, 60_000);

async function start(): Promise<void> {
  program = await StartedStandalone.start(program?.dataDir, {
    ...DEFAULT_PARTITIONS,
    DATABASE_URL: database.url,
  });
  client = await program.client();
  token = await signIn();
}

async function signIn(): Promise<string> {
  const basic = Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const response = await fetch(`${program.url}/api/v3/auth`, { method: 'POST', headers });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

/** Of the changes of an upload, unless topics are selected. */
const FOLDED = '?topics=assets,findings';

async function follow(query = FOLDED, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(`${program.url}/api/v3/changes${query}`, {
    authorization: `Bearer ${token}`,
    ...headers,
  });
  streams.push(stream);
  return stream;
}

/** Findings over some hosts, each new; returns the upload's id. */
async function upload(name: string, signals: number): Promise<string> {
  const entries = Array.from({ length: signals }, (_, i) => [
    `${i}.json`,
    plainSignal(`${name} ${i}`, `${name}-host${i % HOSTS}`),
  ]);
  const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
  expect(status).toBe(200);
  return body.uploadId;
}

/** The current content of a topic, partition by partition, each in order. */
async function recordsOf(topic: ChangeTopic): Promise<StoredRecord[]> {
  const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  const records: StoredRecord[] = [];
  try {
    for (const [partition, end] of (await log.ends(topic)).entries()) {
      for await (const batch of log.read(topic, partition, 0, end)) records.push(...batch);
    }
    return records;
  } finally {
    await log.close();
  }
}

/** As one does it for whom the API has no route yet. */
async function deleteAsset(host: string): Promise<void> {
  const key = entityKey('machine', host);
  const payload = { type: 'AssetDeleted', assetId: assetId(key), seenVersion: null } as const;
  const deletion = event(payload, Date.now(), { kind: 'user' }, { id: randomUUID(), entityKey: key });
  const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  await log.append(INTAKE_TOPIC, [{ key, value: encodeIntake(deletion) }]);
  await log.close();
}

const namesOf = (events: StreamedEvent[], kind: string) =>
  events
    .filter(({ event }) => event === kind)
    .map(({ data }) => data.name)
    .sort();
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`).sort();

/** Within each partition and topic the sequences follow each other without a hole and without a repeat. */
function expectGapFree(events: StreamedEvent[]): void {
  const last = new Map<string, number>();
  for (const { event, data } of events) {
    const place = `${event} ${data.change.position.partition}`;
    const { sequence } = data.change;
    if (last.has(place)) expect(sequence).toBe(last.get(place)! + 1);
    last.set(place, sequence);
  }
}

describe('GET /api/v3/changes', () => {
  it('streams every change of an upload as it happens, in order, an asset before its findings', async () => {
    const stream = await follow();
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const uploadId = await upload('live', 300);
    const events = await stream.take(300 + HOSTS);
    expect(namesOf(events, 'finding')).toEqual(numbered('live', 300));
    expect(namesOf(events, 'asset')).toEqual(
      numbered('live-host', HOSTS).map((name) => name.replace(' ', '')),
    );
    expectGapFree(events);
    const known = new Set<string>();
    for (const { event, data } of events) {
      if (event === 'asset') known.add(data.id);
      else expect(known).toContain(data.assetId);
      expect(data.change.cause).toMatchObject({ kind: 'zip', uploadId });
      expect(data.change.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const { data } = events.find(({ event }) => event === 'finding')!;
    expect(data).toMatchObject(publishedFinding(await client.get(`/api/v3/findings/${data.id}`)));
    stream.close();
  }, 60_000);

  it('resumes after the last event that a client received: no gap and no repeat, also after a kill -9', async () => {
    const before = await follow();
    await upload('resumed', 200);
    const events = await before.take(50);
    before.close();
    const lastId = () => events.at(-1)!.id;
    const byHeader = await follow(FOLDED, { 'last-event-id': lastId() });
    events.push(...(await byHeader.take(60)));
    byHeader.close();
    const byQuery = await follow(`${FOLDED}&lastEventId=${encodeURIComponent(lastId())}`);
    events.push(...(await byQuery.take(40)));
    await program.kill();
    await start();
    await upload('afterwards', 10);
    const afterwards = await follow(FOLDED, { 'last-event-id': lastId() });
    events.push(...(await afterwards.take(200 + HOSTS - 150 + 10 + HOSTS)));
    expect(namesOf(events, 'finding')).toEqual(
      [...numbered('resumed', 200), ...numbered('afterwards', 10)].sort(),
    );
    expectGapFree(events);
    afterwards.close();
  }, 120_000);

  it('resumes before its first event too', async () => {
    const silent = await follow();
    await until('the first block', async () => {
      if (silent.others.length === 0) void silent.next().catch(() => null);
      return silent.others.length > 0;
    });
    const id = /^id: (\S+)$/m.exec(silent.others[0]!)![1]!;
    silent.close();
    await upload('unseen', 3);
    const stream = await follow('?topics=findings', { 'last-event-id': id });
    expect(namesOf(await stream.take(3), 'finding')).toEqual(numbered('unseen', 3));
    stream.close();
  }, 60_000);

  it('streams only the requested topics', async () => {
    const assets = await follow('?topics=assets');
    await upload('picked', 20);
    const events = await assets.take(HOSTS);
    expect(events.every(({ event }) => event === 'asset')).toBe(true);
    await upload('next', 20);
    expect(namesOf(await assets.take(HOSTS), 'asset')[0]).toBe('next-host0');
    assets.close();
  }, 60_000);

  it('streams the score changes of an asset, and the removal of the score with the asset', async () => {
    const host = 'scored-host';
    const stream = await follow('?topics=scores');
    /** The next one of the host; those of earlier tests may still come. */
    async function nextScore(): Promise<any> {
      for (;;) {
        const [event] = await stream.take(1);
        expect(event!.event).toBe('score');
        if (event!.data.assetName === host) return event!.data;
      }
    }
    const send = (name: string) => client.signal(plainSignal(name, host), { prefer: 'wait=30' });
    await send('first');
    const first = await nextScore();
    expect(first.score).toBeGreaterThan(0);
    expect(first).toMatchObject({ previousScore: null, model: 'posture-2', change: { name: 'changed' } });
    const { score, breachLikelihood } = await client.get(`/api/v3/assets/${first.assetId}/score`);
    expect(first).toMatchObject({ score, breachLikelihood });
    const techniques = { standardsMapping: [{ name: 'mitre', value: 'T1059' }] };
    const { securityContext } = plainSignal('second', host);
    await client.signal(
      plainSignal('second', host, { securityContext: { ...securityContext, ...techniques } }),
    );
    const second = await nextScore();
    expect(second.score).toBeGreaterThan(score);
    expect(second).toMatchObject({ assetId: first.assetId, previousScore: score });
    await deleteAsset(host);
    expect(await nextScore()).toMatchObject({
      assetId: first.assetId,
      score: null,
      previousScore: second.score,
      change: { name: 'deleted' },
    });
    stream.close();
    const typesOf = async () =>
      (await recordsOf(SCORES_TOPIC))
        .filter(({ key }) => key === first.assetId)
        .map(({ headers, value }) => [headers.ce_type, value.length > 0]);
    await until('its records', async () => (await typesOf()).length >= 3);
    expect(await typesOf()).toEqual([
      ['posture.score.changed', true],
      ['posture.score.changed', true],
      ['posture.score.tombstone', false],
    ]);
  }, 60_000);

  it('does not hold up Ctrl-C, and ends', async () => {
    const stream = await follow();
    const ended = (async () => {
      while (await stream.next());
      return 'ended';
    })();
    expect(await program.stop()).toBe(0);
    expect(await ended).toBe('ended');
    await start();
  }, 60_000);
});

describe('the registry routes', () => {
  const get = async (path: string) => {
    const response = await fetch(`${program.url}${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (await response.json()) as any,
    };
  };

  it('let a stranger decode a record of the findings topic: no token, only the id in its bytes', async () => {
    const uploadId = await upload('decoded', 5);
    await client.folded(uploadId);
    let found: StoredRecord | undefined;
    await until('a published finding', async () => {
      [found] = await recordsOf(FINDINGS_TOPIC);
      return found !== undefined;
    });
    const record = found!;
    const { body } = await get(`/schemas/ids/${record.value.readInt32BE(1)}?subject=posture.findings-value`);
    const decoded = avro.Type.forSchema(JSON.parse(body.schema)).decode(record.value, 5);
    expect(decoded.offset).toBe(record.value.length);
    expect(decoded.value).toMatchObject({
      id: record.key,
      state: 'Failed',
      change: { name: 'created', from: null },
    });
    expect(record.headers).toMatchObject({ ce_subject: record.key, sequence: '1' });
  }, 60_000);

  it('answer as a Confluent schema registry does', async () => {
    const { status, type, body } = await get('/subjects?deleted=true');
    expect([status, type]).toEqual([200, expect.stringContaining('application/vnd.schemaregistry.v1+json')]);
    expect(body).toEqual(
      expect.arrayContaining(['posture.assets-value', 'posture.findings-value', 'posture.scores-value']),
    );
    expect((await get('/subjects/posture.findings-value/versions')).body).toEqual([1, 2, 3, 4, 5]);
    const latest = await get('/subjects/posture.findings-value/versions/latest');
    expect(latest.body).toEqual({
      subject: 'posture.findings-value',
      id: 1010,
      version: 5,
      schema: (await get('/schemas/ids/1010')).body.schema,
    });
    expect((await get('/subjects/posture.findings-value/versions/5')).body).toEqual(latest.body);
  });

  it.each([
    ['/schemas/ids/4242', 40403, 'Schema 4242 not found'],
    ['/schemas/ids/x', 40403, 'Schema x not found'],
    ['/subjects/nothing/versions', 40401, "Subject 'nothing' not found."],
    ['/subjects/nothing/versions/latest', 40401, "Subject 'nothing' not found."],
    ['/subjects/posture.assets-value/versions/9', 40402, 'Version 9 not found.'],
  ])('answer %s with %i', async (path, error_code, message) => {
    const { status, type, body } = await get(path);
    expect({ status, body }).toEqual({ status: 404, body: { error_code, message } });
    expect(type).toContain('application/vnd.schemaregistry.v1+json');
  });
});

describe('the tables', () => {
  it('equal the fold of the log', () => expectVerified({ DATABASE_URL: database.url }), 60_000);
});
