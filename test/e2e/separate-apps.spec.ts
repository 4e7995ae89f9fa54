import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { OidcServer, providersOf } from '../fixtures/sign-ins/oidc-server.ts';
import { OtlpReceiver } from '../observe/otlp-receiver.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { EventStream } from '../support/event-stream.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { untilScored } from '../support/scored.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const PUBLIC_URL = 'http://posture.example.com';
const HOSTS = 40;
const SIGNALS = 600;

const bundle = (name: string) =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: SIGNALS }, (_, i) => [
        `${i}.json`,
        plainSignal(`${name} finding ${i}`, `host${i % HOSTS}`),
      ]),
    ),
  );

describeOwnKafka('gateway, projectors and scorer as separate programs on Kafka', () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  let env: Record<string, string>;
  let gateway: StartedProgram;
  /** Another one, of the same database and brokers. */
  let other: StartedProgram;
  let provider: OidcServer;
  let scorer: StartedProgram;
  let receiver: OtlpReceiver;
  let client: ApiClient;
  const projectors: StartedProgram[] = [];

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [kafka, database] = await Promise.all([startKafka({ directory: `${dataDir}/kafka` }), testDatabase()]);
    receiver = await OtlpReceiver.start();
    provider = await OidcServer.start(PUBLIC_URL);
    env = {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers,
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
      PUBLIC_URL,
      OIDC_PROVIDERS: providersOf(provider.issuer),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      // Only spans of requests.
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    };
    gateway = await StartedProgram.start('gateway', env);
    other = await StartedProgram.start('gateway', env);
    projectors.push(await StartedProgram.start('projector', env));
    scorer = await StartedProgram.start('scorer', env);
    client = await ApiClient.signIn(gateway.url, ADMIN);
  }, 300_000);

  afterAll(async () => {
    const codes = await Promise.all(
      [gateway, other, scorer, ...projectors].map((program) => program?.stop()),
    );
    await receiver?.stop();
    await provider?.stop();
    await database?.drop();
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
    expect(codes).toEqual(codes.map(() => 0));
  }, 60_000);

  /** Each signal is one finding, created once. */
  async function expectFoldedOnce(name: string, uploadId: string): Promise<void> {
    const upload = await client.folded(uploadId);
    expect(upload).toMatchObject({
      folded: SIGNALS,
      outcome: { created: SIGNALS, updated: 0, unchanged: 0 },
    });
    const findings = await client.all(`/api/v3/findings?name=${encodeURIComponent(`${name} finding`)}`);
    expect(findings).toHaveLength(SIGNALS);
    expect(findings.every(({ version }) => version === 1)).toBe(true);
  }

  async function expectHistoryGapFree(): Promise<void> {
    const { rows } = await database.pool.query(
      `select partition from finding_history group by partition
        having min(sequence) <> 1 or max(sequence) <> count(*)`,
    );
    expect(rows).toEqual([]);
  }

  it('fold the events of the gateway', async () => {
    const { status, body } = await client.zip(await bundle('first'), { prefer: 'wait=30' });
    expect(status).toBe(200);
    await expectFoldedOnce('first', body.uploadId);
  }, 90_000);

  it('finish a sign-in that another gateway has started, and end it at both within a second (R-AUTH-22, R-AUTH-24)', async () => {
    const send = async (at: StartedProgram, method: string, path: string, token = '', body?: object) => {
      const headers = { authorization: `Bearer ${token}` };
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${at.url}/api/v3${path}`, request);
      return { status: response.status, body: (await response.json()) as { url: string; proof: string } };
    };
    const signIn = async (cookies: Map<string, string>) => {
      const { url, proof } = (await send(gateway, 'POST', '/sign-in/corp')).body;
      const given = Object.fromEntries(await provider.follow(url, cookies));
      const finished = await send(other, 'POST', '/sign-in/corp/finish', '', { proof, ...given });
      expect(finished.status).toBe(200);
      return finished.body as unknown as { id: string; token: string };
    };
    /** Streams of a session at both gateways. */
    const follow = (token: string) =>
      Promise.all(
        [gateway, other].map((at) =>
          EventStream.open(`${at.url}/api/v3/changes`, { authorization: `Bearer ${token}` }),
        ),
      );
    const expectEnded = async (streams: EventStream[], token: string) => {
      for (const stream of streams) {
        let last = await stream.next();
        while (last !== null && last.event !== 'end') last = await stream.next();
        expect(last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
      }
      for (const at of [gateway, other]) expect((await send(at, 'GET', '/findings', token)).status).toBe(401);
    };

    const cookies = new Map<string, string>();
    const session = await signIn(cookies);
    const byAdmin = await follow(session.token);
    const admin = await client.request('DELETE', `/api/v3/sessions/${session.id}`);
    expect(admin.status).toBe(200);
    await expectEnded(byAdmin, session.token);

    const second = await signIn(cookies);
    const byProvider = await follow(second.token);
    provider.logoutUrl = `${gateway.url}/api/v3/sign-in/corp/logout`;
    await provider.endSession(cookies);
    await expectEnded(byProvider, second.token);
  }, 90_000);

  it('say that they are ready, and of what', async () => {
    for (const { url } of [gateway, other, scorer, ...projectors]) {
      const response = await fetch(`${url}/health/ready`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        status: 'ready',
        dependencies: { log: 'up', database: 'up' },
      });
    }
  });

  it('lose and repeat nothing when a second projector joins, is killed -9 in its fold, and restarts', async () => {
    projectors.push(await StartedProgram.start('projector', env));
    const uploads: { name: string; uploadId: string }[] = [];
    for (const name of ['joined', 'killed', 'back']) {
      const { status, body } = await client.zip(await bundle(name));
      expect(status).toBe(200);
      uploads.push({ name, uploadId: body.uploadId });
      if (name === 'killed') {
        await projectors.pop()!.kill();
        projectors.push(await StartedProgram.start('projector', env));
      }
    }
    for (const { name, uploadId } of uploads) await expectFoldedOnce(name, uploadId);
    await expectHistoryGapFree();
  }, 180_000);

  it('have written the fold of the log, and continue after a concurrent replay', async () => {
    await expectVerified(env);
    expect(await posture(env, 'replay')).toMatch(/^Replayed: 40 assets and 2400 findings from \d+ records/);
    const { status, body } = await client.zip(await bundle('replayed'));
    expect(status).toBe(200);
    await expectFoldedOnce('replayed', body.uploadId);
    await expectHistoryGapFree();
    await expectVerified(env);
  }, 120_000);

  it('let the scorer score all that was folded, and publish it', async () => {
    await untilScored(database.pool);
    const scored = { assets: HOSTS, scoredAssets: HOSTS, model: 'posture-2' };
    expect(await client.get('/api/v3/scores/organization')).toMatchObject(scored);
    await until('the changes of scores', async () => {
      const { rows } = await database.pool.query(
        `select from scored_partitions s
           left join published_changes p on p.topic = 'posture.scores' and p.partition = s.partition
          where s.sequence > coalesce(p.sequence, 0)`,
      );
      return rows.length === 0;
    });
  });

  it('carry a trace through the log, from program to program', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const signal = plainSignal('a traced finding', 'host0');
    await client.signal(signal, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    const seen = () =>
      new Set(
        receiver.spans
          .filter(({ traceId }) => traceId === trace)
          .map(({ service, name }) => `${service}: ${name}`),
      );
    // Each program sends its own, with a delay.
    const expected = [
      'posture-gateway: POST /api/v3/signals',
      'posture-gateway: append posture.intake',
      'posture-projector: fold',
      'posture-projector: transaction',
      'posture-projector: publish posture.findings',
      'posture-scorer: score',
      'posture-scorer: transaction',
    ];
    await until('the spans of three programs', () => expected.every((span) => seen().has(span)));
  });

  it('reject a start on another log: a database is folded from one', async () => {
    const other = await startKafka({ directory: `${dataDir}/other` });
    try {
      await expect(
        StartedProgram.start('projector', { ...env, KAFKA_BROKERS: other.brokers }),
      ).rejects.toThrow(/ended with 1:\n.*(was folded from log|the log ends at)/s);
      await expect(StartedProgram.start('gateway', { ...env, DATABASE_URL: '' })).rejects.toThrow(
        /DATABASE_URL must be set/,
      );
    } finally {
      await other.stop();
    }
  }, 120_000);
});
