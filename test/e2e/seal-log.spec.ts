import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventLog, KafkaEventLog, PostgresEventLog, TOPICS } from '#libs/event-log';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { connectKafka } from '../../libs/event-log/src/kafka/connect-kafka.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { untilScored } from '../support/scored.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { filesWithTraces, tablesWithTraces, topicsWithTraces, tracesOf } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture, startedPosture } from '../support/verify.ts';

/** In every personal text of the users that are assets. */
const ENTITY = 'zqentity';
/** The user who uploads and acts. */
const ACTOR = 'zqactor';
const ANA = `Ana.${ENTITY}@acme.com`;
const BEN = `ben.${ENTITY}`;
const LAPTOP = `${ENTITY}-laptop.home.example`;
const SEALING = { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: `${ENTITY}-*` };
const PARTITIONS = 2;
const JSON_BODY = { 'content-type': 'application/json' };
/** Sign-in needs the names of users (docs/privacy.md). */
const TABLES_WITH_USERS = ['credentials', 'security_events'];
const FILES_WITH_USERS = ['keys.posture-backup', 'tables.posture-backup'];
const KILLED_AT_RENAME = `--import=${fileURLToPath(new URL('../fixtures/cli/kill-at-rename.mjs', import.meta.url))}`;

type Env = Record<string, string>;

const signalOf = (entity: string, name: string, type = 'user') =>
  plainSignal(name, '', {
    entity: {
      type,
      name: entity,
      entityAttributes: { tags: { team: [`${ENTITY} team`] }, ipAddresses: [{ ipv4: `${ENTITY} address` }] },
    },
    description: `description of ${ENTITY}`,
    securityContext: {
      type: 'va',
      status: { complianceStatus: 'fail' },
      severity: { type: 'cvss', value: 7.5 },
      evidence: { observationText: `${ENTITY} evidence` },
    },
  });

const signals = () =>
  zipOf({
    'a.json': signalOf(ANA, 'leaked password'),
    'b.json': signalOf(ANA, 'weak password'),
    'c.json': signalOf(BEN, 'weak password'),
    'd.json': signalOf(LAPTOP, 'weak password', 'machine'),
    'web.json': plainSignal('open port', 'web01'),
  });

async function uploaded(client: ApiClient, zip: Buffer): Promise<any> {
  const { status, body } = await client.zip(zip);
  expect(status).toBe(200);
  return client.folded(body.uploadId);
}

/** What a reader gets: names in place of the ids of assets and findings, which change. */
async function seenBy(client: ApiClient): Promise<unknown> {
  const assets = await client.all('/api/v3/assets');
  const findings = await client.all('/api/v3/findings');
  const whole = await Promise.all(
    findings.map(async ({ id }) => ({
      ...(await client.get(`/api/v3/findings/${id}`)),
      history: (await client.get(`/api/v3/findings/${id}/history`)).items,
    })),
  );
  const names = [
    ...assets.map(({ id, name }) => [id, name]),
    ...findings.map(({ id, assetName, name }) => [id, `${name} of ${assetName}`]),
  ];
  const [plans, audit] = [await client.all('/api/v3/plans'), await client.all('/api/v3/audit')];
  const text = JSON.stringify({ assets, findings: whole, plans, audit });
  const named = JSON.parse(names.reduce((given, [id, name]) => given.replaceAll(id!, name!), text));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return { ...named, assets: named.assets.sort(byId), findings: named.findings.sort(byId) };
}

async function organizationScore(client: ApiClient): Promise<number> {
  const { score } = await client.get('/api/v3/scores/organization');
  expect(score).toEqual(expect.any(Number));
  return score;
}

interface Migrated {
  kafka?: Env;
  /** Its log is deleted before the new site starts. */
  old: TestDatabase;
  fresh: TestDatabase;
  deleteOldLog: () => Promise<void>;
  openLog: () => EventLog;
}

/** Persons and acts in a log that is not sealed; returns what readers saw. */
async function usedSite(env: Env, { pool }: TestDatabase) {
  const service = await StandaloneHere.start(env);
  try {
    const admin = await service.client();
    const added = await admin.request(
      'POST',
      '/api/v3/credentials',
      JSON.stringify({ username: ACTOR, role: 'admin' }),
      JSON_BODY,
    );
    expect(added.status).toBe(200);
    const { password } = added.body;
    const actor = await ApiClient.signIn(service.url, { username: ACTOR, password });
    expect((await uploaded(actor, await signals())).outcome).toMatchObject({ created: 5, assetsCreated: 4 });
    const [finding] = await actor.all(`/api/v3/findings?name=${encodeURIComponent('leaked password')}`);
    const accepted = await actor.request(
      'POST',
      `/api/v3/findings/${finding.id}/accept`,
      JSON.stringify({ rationale: `known to ${ENTITY}` }),
      JSON_BODY,
    );
    expect(accepted.status).toBe(200);
    const failed = await actor.all(`/api/v3/findings?name=${encodeURIComponent('weak password')}`);
    const planned = await actor.request(
      'POST',
      '/api/v3/plans',
      JSON.stringify({ name: 'passwords', add: failed.map(({ id }) => id) }),
      JSON_BODY,
    );
    expect([planned.status, planned.body.findings]).toEqual([200, expect.objectContaining({ open: 3 })]);
    await untilScored(pool);
    const score = await organizationScore(actor);
    await until('the origins of all acts', async () => {
      const acts = await actor.all('/api/v3/audit');
      return acts.every(({ user, requestId, origins }) => !user || !requestId || origins.length === 1);
    });
    return { password, seen: await seenBy(actor), score };
  } finally {
    await service.stopAndRemove();
  }
}

/** Kills the command before and after each file that it completes, and lets it end. */
async function sealedDespiteKills(env: Env, backup: string, directory: string): Promise<void> {
  const files = PARTITIONS + FILES_WITH_USERS.length;
  for (let completed = 0; completed < files; completed += 1) {
    for (const KILL_AT_RENAME of ['before', 'after']) {
      const killed = startedPosture(
        { ...env, NODE_OPTIONS: KILLED_AT_RENAME, KILL_AT_RENAME },
        'seal-log',
        backup,
        directory,
      );
      await expect(killed).rejects.toMatchObject({ code: null });
    }
    const names = await readdir(directory, { recursive: true });
    expect(names.filter((name) => /posture-(backup|segment)$/.test(name))).toHaveLength(completed + 1);
  }
  expect(await posture(env, 'seal-log', backup, directory)).toMatch(
    /^Sealed {5}\d+ records with 5 subjects as log .*; \d+ were complete\n/,
  );
}

async function migrate(dataDir: string, { kafka = {}, old, fresh, deleteOldLog, openLog }: Migrated) {
  const site = { DATA_DIR: dataDir, LOG_PARTITIONS: `${PARTITIONS}`, ...kafka };
  const before = { ...site, DATABASE_URL: old.url };
  const after = { ...site, DATABASE_URL: fresh.url, ...SEALING };
  const [backup, directory] = [join(dataDir, 'old'), join(dataDir, 'sealed')];
  const { password, seen, score } = await usedSite(before, old);
  await posture(before, 'backup', backup);
  expect(await filesWithTraces(backup, tracesOf([ENTITY]))).not.toEqual([]);

  await sealedDespiteKills({ ...before, ...SEALING }, backup, directory);
  await deleteOldLog();
  await rm(backup, { recursive: true });
  expect(await filesWithTraces(directory, tracesOf([ENTITY]))).toEqual([]);
  expect(await filesWithTraces(directory, tracesOf([ACTOR]))).toEqual(FILES_WITH_USERS);

  expect(await posture(after, 'restore', directory)).toContain('Restored');
  await expectVerified(after);
  const service = await StandaloneHere.start(after);
  try {
    const actor = await ApiClient.signIn(service.url, { username: ACTOR, password });
    await untilScored(fresh.pool);
    expect(await organizationScore(actor)).toBe(score);
    expect(await seenBy(actor)).toEqual(seen);
    // The same persons, thus the same assets.
    expect((await uploaded(actor, await signals())).outcome).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 4,
      assetsCreated: 0,
      assetsUpdated: 0,
    });
    const log = openLog();
    try {
      expect((await topicsWithTraces(log, tracesOf([ENTITY, ACTOR]))).found).toEqual([]);
    } finally {
      await log.close();
    }
    expect(await tablesWithTraces(fresh.pool, tracesOf([ENTITY]))).toEqual([]);
    expect(await tablesWithTraces(fresh.pool, tracesOf([ACTOR]))).toEqual(TABLES_WITH_USERS);

    const erased = await actor.request(
      'POST',
      '/api/v3/erasures',
      JSON.stringify({ subject: { type: 'user', name: ANA }, reason: 'a request' }),
      JSON_BODY,
    );
    expect([erased.status, erased.body.keyDestroyedAt]).toEqual([200, expect.any(String)]);
    const names = (await actor.all('/api/v3/assets')).map(({ name }) => name);
    expect(names.sort()).toEqual([BEN, 'erased', 'web01', LAPTOP].sort());
    await expectVerified(after);
    await posture(after, 'backup', join(dataDir, 'next'));
  } finally {
    await service.stopAndRemove();
  }
}

describe('a log with users that is sealed once', () => {
  let dataDir: string;
  let old: TestDatabase | undefined;
  let fresh: TestDatabase;

  beforeAll(async () => {
    [dataDir, old, fresh] = [await temporaryDataDir(), await emptyDatabase(), await emptyDatabase()];
  });
  afterAll(async () => {
    await Promise.all([old?.drop(), fresh.drop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it(
    'is a new site with the same content, and the database of the old one can be deleted',
    () =>
      migrate(dataDir, {
        old: old!,
        fresh,
        deleteOldLog: async () => {
          const dropped = old!;
          old = undefined;
          await dropped.drop();
        },
        openLog: () => new PostgresEventLog({ url: fresh.url, partitions: PARTITIONS }),
      }),
    300_000,
  );
});

/** A third of the runs. */
const ON_KAFKA = { shares: 3, turn: 1, as: describeOwnKafka } as const;

describeInRun(ON_KAFKA, 'a log on Kafka with users that is sealed once', () => {
  let dataDir: string;
  let kafka: KafkaCluster;
  let old: TestDatabase;
  let fresh: TestDatabase;

  beforeAll(async () => {
    [dataDir, old, fresh] = [await temporaryDataDir(), await emptyDatabase(), await emptyDatabase()];
    kafka = await startKafka({ directory: join(dataDir, 'kafka'), nodes: 1 });
  }, KAFKA_START_MS_MAX);
  afterAll(async () => {
    await kafka?.kill();
    await Promise.all([old.drop(), fresh.drop()]);
    await rm(dataDir, { recursive: true, force: true });
  }, KAFKA_START_MS_MAX);

  it('is a new log with the same content, and the topics of the old one can be deleted', () => {
    return migrate(dataDir, {
      kafka: { KAFKA_BROKERS: kafka.brokers },
      old,
      fresh,
      deleteOldLog: async () => {
        const admin = connectKafka({ brokers: [kafka.brokers] }).admin();
        await admin.connect();
        try {
          await admin.deleteTopics({ topics: TOPICS.map(({ name }) => name) });
        } finally {
          await admin.disconnect();
        }
      },
      openLog: () => new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS }),
    });
  }, 300_000);
});
