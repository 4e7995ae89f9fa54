import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresEventLog } from '#libs/event-log';
import { runPosture } from '../../apps/cli/src/posture.ts';
import { FALCON_CLIENTS, type Simulators, startSimulators } from '../../apps/simulators/src/index.ts';
import { recordingTerminal } from '../fixtures/cli/simulated-service.ts';
import { fixtureNamed } from '../fixtures/convert/reports.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { foldedRows } from '../support/folded-rows.ts';
import { untilScored } from '../support/scored.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { filesWithTraces, tablesWithTraces, topicsWithTraces, tracesOf } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** In every personal text of the entity, and in those of the user who acts. */
const ENTITY = 'zqentity';
const ACTOR = 'zqactor';
const NAME = `Ana.${ENTITY}@acme.com`;
const MACHINE = `${ENTITY}-laptop.home.example`;
const JSON_BODY = { 'content-type': 'application/json' };
const PARTITIONS = 2;
const ofEntity = tracesOf([ENTITY]);
const ofActor = tracesOf([ACTOR]);
const ofBoth = tracesOf([ENTITY, ACTOR]);
/** A name of findings, which is not sealed: everything that is searched contains it. */
const ofFindings = tracesOf(['leaked password']);
/** With the names of users, which are needed to sign in (docs/privacy.md). */
const WITH_USERS = ['credentials', 'security_events'];
/** Contains these tables. */
const BACKUP_OF_TABLES = ['keys.posture-backup', 'tables.posture-backup'];

let database: TestDatabase;
let dataDir: string;
let service: StandaloneHere;
let admin: ApiClient;
let actor: ApiClient;
let actorPassword: string;
let receiver: WebhookReceiver;
let platforms: Simulators;
let env: Record<string, string>;
/** Instant of the report from before the erasure. */
let reportedAt: string;

const entity = (type: string, name: string) => ({
  type,
  name,
  entityAttributes: {
    ipAddresses: [{ ipv4: `${ENTITY} address` }],
    tags: { team: `${ENTITY} team`, Owner: `${ENTITY} owner` },
  },
});

const signal = (name: string, given: object = {}) =>
  plainSignal(name, '', {
    entity: entity('user', NAME),
    description: `description of ${ENTITY}`,
    'x-own': { deep: `${ENTITY} extra` },
    securityContext: undefined,
    securityContexts: [
      {
        type: 'va',
        status: { complianceStatus: 'fail' },
        severity: { type: 'cvss', value: 7.5 },
        standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }],
        evidence: { observationText: `${ENTITY} "evidence"` },
        remediation: { description: `ask ${ENTITY}`, reference: `see ${ENTITY}` },
        description: { technical: `${ENTITY} technical`, businessImpact: `${ENTITY} impact` },
        detectionId: [`${ENTITY}-1`, `${ENTITY}-2`],
      },
    ],
    ...given,
  });

beforeAll(async () => {
  [database, dataDir, receiver, platforms] = await Promise.all([
    emptyDatabase(),
    temporaryDataDir(),
    WebhookReceiver.start(),
    startSimulators({ hosts: 3, alerts: 3, devices: 0, seed: 1 }),
  ]);
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_PARTITIONS: `${PARTITIONS}`,
    LOG_ARCHIVE: join(dataDir, 'archive'),
    SEAL_PERSONAL_TEXTS: 'true',
    SEAL_MACHINES: `${ENTITY}-*`,
  };
  service = await StandaloneHere.start(env);
  admin = await service.client();
  const added = await admin.request(
    'POST',
    '/api/v3/credentials',
    JSON.stringify({ username: ACTOR, role: 'admin' }),
    JSON_BODY,
  );
  expect(added.status).toBe(200);
  actorPassword = added.body.password;
  actor = await ApiClient.signIn(service.url, { username: ACTOR, password: actorPassword });
}, 240_000);
afterAll(async () => {
  await service?.stopAndRemove();
  receiver.close();
  await platforms.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const uploadZip = async () =>
  actor.zip(
    await zipOf({
      [`${ENTITY}.json`]: signal('leaked password', { firstSeen: 'never' }),
      [`${ENTITY}-2.json`]: signal('leaked password', { entity: entity('machine', MACHINE) }),
      'web.json': plainSignal('open port', 'web01'),
    }),
    { 'idempotency-key': 'zip-1' },
  );

async function uploaded(answer: { status: number; body: any }): Promise<any> {
  expect(answer).toMatchObject({ status: 200 });
  return actor.folded(answer.body.uploadId);
}

const exported = async (path: string, reader = actor): Promise<string> => {
  const token = (reader as unknown as { token: string }).token;
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return response.text();
};

/** A backup from before the erasure, with the list of a later one. */
async function restoredAgain(folder: string, erasures: string): Promise<void> {
  const target = await emptyDatabase();
  const on = { ...env, DATABASE_URL: target.url, LOG_ARCHIVE: join(dataDir, 'none') };
  try {
    expect(await posture(on, 'restore', folder, '--erasures', erasures)).toMatch(
      /\nErased {5}3 subjects again/,
    );
    const { rows } = await target.pool.query(
      'select count(*)::int as keys from subject_keys where wrapped is not null and lookup is not null',
    );
    // Those of the first admin and of the API token.
    expect(rows).toEqual([{ keys: 2 }]);
    const known = await posture(on, 'as-of', reportedAt);
    expect(known).toContain('"name":"erased"');
    expect(known.toLowerCase()).not.toContain(ENTITY);
    await expectVerified(on);
  } finally {
    await target.drop();
  }
}

/** A person with a credential cannot be erased. */
async function actorIsGone(): Promise<void> {
  const credentials = await admin.all('/api/v3/credentials');
  const { id } = credentials.find(({ username }) => username === ACTOR);
  expect((await admin.request('DELETE', `/api/v3/credentials/${id}`)).status).toBe(200);
}

/** @returns the id of the subject */
async function erase(type: 'user' | 'machine' | 'person', name: string): Promise<string> {
  const given = JSON.stringify({ subject: { type, name }, reason: 'a request' });
  const { status, body } = await admin.request('POST', '/api/v3/erasures', given, JSON_BODY);
  expect([status, body.keyDestroyedAt]).toEqual([200, expect.any(String)]);
  return body.id;
}

/** `posture as-of --asset`, by a process that has no key in memory. */
async function asOf(asset: string, secrets: Record<string, string> = {}) {
  const terminal = recordingTerminal({ ...env, ...secrets });
  const exitCode = await runPosture(['as-of', new Date().toISOString(), '--asset', asset], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

/** By the second user, with an answer that is expected. */
async function act(method: string, path: string, body: object): Promise<any> {
  const answer = await actor.request(method, path, JSON.stringify(body), JSON_BODY);
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body?.message}`);
  return answer.body;
}

/** In topics, and how many records they have. */
async function searchedTopics(): Promise<Awaited<ReturnType<typeof topicsWithTraces>>> {
  const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  try {
    return await topicsWithTraces(log, ofBoth);
  } finally {
    await log.close();
  }
}

describe('a service that seals personal texts', () => {
  let asset: any;
  let finding: any;

  it('shows them to readers as if they were stored in the clear', async () => {
    const preview = await actor.zip(
      await zipOf({ [`${ENTITY}.json`]: signal('leaked password') }),
      {},
      '?dryRun=true',
    );
    expect(preview.body).toMatchObject({
      outcome: { created: 1 },
      findings: [{ asset: NAME, would: 'created' }],
    });
    const upload = await uploaded(await uploadZip());
    expect(upload).toMatchObject({
      by: ACTOR,
      outcome: { created: 3, assetsCreated: 3 },
      warnings: [{ entry: `${ENTITY}.json`, field: 'firstSeen' }],
    });
    expect((await uploadZip()).body).toMatchObject({
      uploadId: upload.id,
      warnings: [{ entry: `${ENTITY}.json` }],
    });
    const assets = await actor.all('/api/v3/assets');
    expect(assets.map(({ name }) => name).sort()).toEqual([NAME, 'web01', MACHINE].sort());
    asset = await actor.get(`/api/v3/assets/${assets.find(({ name }) => name === NAME).id}`);
    expect(asset).toMatchObject({ aliases: [NAME], ipAddresses: [`${ENTITY} address`] });
    expect(asset.tags.team).toEqual([`${ENTITY} team`]);
    const [item] = await actor.all(`/api/v3/findings?assetId=${asset.id}`);
    finding = await actor.get(`/api/v3/findings/${item.id}`);
    expect(finding).toMatchObject({
      assetName: NAME,
      description: `description of ${ENTITY}`,
      technical: `${ENTITY} technical`,
      observation: `${ENTITY} "evidence"`,
      remediation: { description: `ask ${ENTITY}`, reference: `see ${ENTITY}` },
    });
    expect(finding.instances.map(({ key }: { key: string }) => key).sort()).toEqual([
      `${ENTITY}-1`,
      `${ENTITY}-2`,
    ]);
  });

  it('leaves an unchanged resend unchanged, also with the name in another case', async () => {
    const again = signal('leaked password');
    again.entity.name = NAME.toUpperCase();
    const { outcome } = await uploaded(await actor.zip(await zipOf({ 'again.json': again })));
    expect(outcome).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 1,
      assetsCreated: 0,
      assetsUpdated: 0,
    });
    const json = await uploaded(await actor.signal(signal('weak password'), { 'idempotency-key': 'json-1' }));
    expect(json.outcome).toMatchObject({ created: 1, assetsCreated: 0 });
  });

  it('seals acts, histories and exports, and opens them for readers', async () => {
    const accepted = await actor.request(
      'POST',
      `/api/v3/findings/${finding.id}/accept`,
      JSON.stringify({ rationale: `known to ${ENTITY}` }),
      JSON_BODY,
    );
    expect(accepted.status).toBe(200);
    const { items } = await actor.get(`/api/v3/findings/${finding.id}/history`);
    expect(JSON.stringify(items)).toContain(ACTOR);
    expect(JSON.stringify(items)).toContain(`known to ${ENTITY}`);
    const audit = await actor.all('/api/v3/audit');
    expect(audit).toContainEqual(expect.objectContaining({ action: 'finding.accepted', user: ACTOR }));
    expect((await actor.all(`/api/v3/audit?user=${ACTOR}`)).map(({ action }) => action)).toEqual([
      'finding.accepted',
    ]);
    for (const format of ['csv', 'jsonl']) {
      expect(await exported(`/api/v3/assets/export?format=${format}`)).toContain(NAME);
      expect(await exported(`/api/v3/findings/export?format=${format}`)).toContain(NAME);
    }
    expect((await actor.all(`/api/v3/assets?name=${encodeURIComponent(NAME)}`)).map(({ id }) => id)).toEqual([
      asset.id,
    ]);
    expect(await actor.all('/api/v3/assets?q=v1')).toEqual([]);
    const known = await asOf(NAME.toUpperCase());
    expect(JSON.parse(known.out)).toMatchObject({ asset: { id: asset.id, name: NAME } });
    const laptop = await asOf(MACHINE.toUpperCase());
    expect(JSON.parse(laptop.out)).toMatchObject({ asset: { name: MACHINE, hostname: `${ENTITY}-laptop` } });
    // A part of the name, and another secret.
    expect(await asOf(ENTITY)).toMatchObject({ exitCode: 1, out: '' });
    expect(await asOf(NAME, { POSTURE_SECRET_KEY: 'x'.repeat(32) })).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('encrypted names cannot be searched: the key of subject'),
    });
    expect(await asOf('web01', { POSTURE_SECRET_KEY: 'x'.repeat(32) })).toMatchObject({ exitCode: 0 });
  });

  it('seals the user of every other entrance', async () => {
    await act('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
    await act('POST', '/api/v3/webhooks', { url: receiver.url });
    const paused = await act('POST', '/api/v3/webhooks', { url: receiver.url, enabled: false });
    expect(paused.paused).toMatchObject({ message: `paused by ${ACTOR}` });
    const assign = { ids: [finding.id], assign: { assignee: { type: 'user', name: ACTOR } } };
    const assigned = await act('POST', '/api/v3/findings/acts', assign);
    expect(assigned).toMatchObject({ done: 1, examples: [{ assetName: NAME }] });
    const again = await act('POST', '/api/v3/findings/acts', { ...assign, dryRun: true });
    expect(again).toMatchObject({ done: 0, unchanged: 1 });
    const comments = { text: `ask ${ENTITY}, @${ACTOR}` };
    await act('POST', '/api/v3/findings/acts', { ids: [finding.id], comments });
    const owner = { type: 'user', name: ACTOR };
    await act('POST', '/api/v3/owner-rules', { rules: [{ departments: ['Nowhere'], owner }, { owner }] });
    expect((await actor.get('/api/v3/owner-rules')).rules).toMatchObject([{ owner }, { owner }]);
    const owned = await actor.all(`/api/v3/findings?assignee=${ACTOR}`);
    expect(new Set(owned.map(({ assigneeBy }) => assigneeBy))).toEqual(new Set(['user', 'rule']));
    expect(owned.every(({ assignee }) => assignee.name === ACTOR)).toBe(true);
    expect(await actor.get(`/api/v3/assets/${asset.id}`)).toMatchObject({ owner: { ...owner, rule: 2 } });
    await act('POST', '/api/v3/roles', { name: 'reader', scopes: ['findings:read'] });
    await act('POST', '/api/v3/tokens', { name: 'pipeline', scopes: ['findings:read'] });
    await act('POST', '/api/v3/custom-fields', { name: 'cost centre', type: 'Text' });
    await act('POST', '/api/v3/company/departments', { name: 'Research' });
    const { format, content } = fixtureNamed('Grype');
    const report = await actor.request('POST', `/api/v3/reports?format=${format}&asset=shop`, content, {
      'idempotency-key': 'report-1',
      'content-type': 'application/json',
    });
    await uploaded(report);
    const form = new FormData();
    form.append('file', new Blob([content]), `${ENTITY}.json`);
    const fields = { scan_type: 'Anchore Grype', product_name: 'store', engagement_name: 'nightly' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const imported = await fetch(`${service.url}/api/v2/import-scan/`, {
      method: 'POST',
      headers: { authorization: `Token ${ACTOR}:${actorPassword}` },
      body: form,
    });
    expect(imported.status).toBe(201);
    const integration = await act('POST', '/integration', {
      type: 'edrplugin',
      subType: 'falcon',
      name: 'EDR',
      config: {
        url: platforms.url,
        clientId: FALCON_CLIENTS.full.id,
        clientSecret: FALCON_CLIENTS.full.secret,
      },
    });
    const { syncId } = await act('POST', `/integrations/${integration.id}/sync`, {});
    await until('the sync', async () =>
      (await actor.all(`/integrations/${integration.id}/history`)).some(
        (one) => one.syncId === syncId && one.stage === 'COMPLETED',
      ),
    );
    await act('POST', `/api/v3/findings/${finding.id}/revert`, {
      to: 'NotAssessed',
      rationale: `${ENTITY} has changed it`,
    });
    await until('all deliveries', async () => {
      const hook = (await actor.all('/api/v3/webhooks')).find(({ enabled }) => enabled);
      return receiver.received.length > 0 && hook.behind === 0;
    });
    const acts = await actor.all(`/api/v3/audit?user=${ACTOR}`);
    expect(new Set(acts.map(({ action }) => action.split('.')[0]))).toEqual(
      new Set([
        'credential',
        'finding',
        'settings',
        'ownerRules',
        'webhook',
        'customField',
        'department',
        'integration',
      ]),
    );
  });

  it('stores nothing in the clear: in no table, segment, backup or line of the log', async () => {
    await posture(env, 'checkpoint', join(dataDir, 'before.posture-checkpoint'));
    const backup = join(dataDir, 'backup');
    await posture(env, 'backup', backup);
    await posture(env, 'clock', 'confirm', '--reason', `${ENTITY} has compared it`);
    await posture(env, 'export-log', join(dataDir, 'site.posture-log'));
    reportedAt = new Date().toISOString();
    await posture(
      env,
      'report',
      '--as-of',
      reportedAt,
      '--format',
      'json',
      '--output',
      join(dataDir, 'r.json'),
    );
    expect(await tablesWithTraces(database.pool, ofEntity)).toEqual([]);
    expect(await tablesWithTraces(database.pool, ofActor)).toEqual(WITH_USERS);
    expect(await filesWithTraces(dataDir, ofEntity)).toEqual([]);
    expect(await filesWithTraces(dataDir, ofActor)).toEqual(BACKUP_OF_TABLES);
    // The search reads what it searches.
    expect(await tablesWithTraces(database.pool, ofFindings)).toEqual(
      expect.arrayContaining(['finding_history', 'findings', 'log_records']),
    );
    expect(await filesWithTraces(dataDir, ofFindings)).toEqual(
      expect.arrayContaining(['before.posture-checkpoint', 'site.posture-log']),
    );
    expect(ofFindings.in(receiver.received.map(({ body }) => body.toString()).join('\n'))).not.toEqual([]);
    expect(ofBoth.in(service.log)).toEqual([]);
    await expectVerified(env);
  });

  it('refuses personal data while the keys do not answer, and stores none of it', async () => {
    const ends = async () => (await database.pool.query('select sum(next_offset) from log_ends')).rows;
    const before = await ends();
    await database.pool.query('alter table subject_keys rename to away');
    const other = signal('leaked password');
    other.entity.name = `new.${ENTITY}`;
    const refused = await actor.signal(other);
    const refusedZip = await actor.zip(await zipOf({ 'new.json': other }));
    const read = await asOf(asset.id);
    await database.pool.query('alter table away rename to subject_keys');
    for (const { status, body } of [refused, refusedZip]) {
      expect([status, body.message]).toEqual([503, expect.stringContaining('no data was stored')]);
    }
    expect(JSON.parse(read.out)).toMatchObject({ asset: { id: asset.id, name: 'unavailable' } });
    expect(await ends()).toEqual(before);
    expect(await tablesWithTraces(database.pool, ofEntity)).toEqual([]);
    expect((await uploaded(await actor.signal(other))).outcome).toMatchObject({ assetsCreated: 1 });
  });

  it('opens nothing with a key that was changed, or belongs to another subject', async () => {
    const keys = async (query: string) => database.pool.query(query);
    await keys('create table kept as select * from subject_keys');
    for (const changed of [
      `overlay(wrapped placing 'AAAA' from 60)`,
      `(select max(wrapped) from kept where subject <> k.subject)`,
    ]) {
      await keys(`update subject_keys k set wrapped = ${changed} where lookup is not null`);
      const read = await asOf(asset.id);
      expect([changed, JSON.parse(read.out)]).toMatchObject([changed, { asset: { name: 'unavailable' } }]);
      const named = await asOf(NAME);
      expect([named.exitCode, named.err]).toEqual([1, expect.stringContaining('restore subject_keys')]);
      await keys('update subject_keys k set wrapped = o.wrapped from kept o where o.subject = k.subject');
    }
    await keys('drop table kept');
    expect(JSON.parse((await asOf(asset.id)).out)).toMatchObject({ asset: { name: NAME } });
  });

  it('shows "erased" after an erasure, and counts and scores as before', async () => {
    const counts = async () => ({
      findings: await admin.get('/api/v3/findings/counts'),
      organization: (await admin.get('/api/v3/scores/organization')).score,
    });
    await untilScored(database.pool);
    const before = await counts();
    await actorIsGone();
    const erased = [
      await erase('user', NAME),
      await erase('user', `new.${ENTITY}`),
      await erase('machine', MACHINE),
      await erase('person', ACTOR),
    ];
    expect(await admin.get(`/api/v3/assets/${asset.id}`)).toMatchObject({
      name: 'erased',
      aliases: ['erased'],
    });
    expect(await admin.get(`/api/v3/findings/${finding.id}`)).toMatchObject({
      name: 'leaked password',
      description: 'erased',
      severity: finding.severity,
    });
    await untilScored(database.pool);
    expect(await counts()).toEqual(before);
    expect((await admin.all('/api/v3/erasures')).map(({ id }) => id).sort()).toEqual(erased.sort());
    // Several readers of the past, and of everything that was ever changed.
    for (const path of [
      `/api/v3/assets/${asset.id}?asOf=${encodeURIComponent(asset.updatedAt)}`,
      `/api/v3/findings/${finding.id}/history`,
      `/api/v3/assets/${asset.id}/score`,
      '/api/v3/assets?q=erased',
      '/api/v3/audit',
      '/api/v3/security-events',
      '/api/v3/assets/export?format=csv',
      '/api/v3/findings/export?format=csv',
      '/api/v3/findings/export?format=jsonl',
      '/api/v3/findings/export?format=sarif',
    ]) {
      const text = (await exported(path, admin)).toLowerCase();
      expect([path, text.includes(ENTITY), text.includes(ACTOR)]).toEqual([path, false, false]);
    }
    await expectVerified(env);
  });

  it('leaves no trace of the marker: in no table, file of the log, backup or line of the log', async () => {
    const backup = join(dataDir, 'backup-after');
    await posture(env, 'backup', backup);
    await posture(env, 'export-log', join(dataDir, 'after.posture-log'));
    const checked = await posture(
      env,
      'report',
      '--check',
      join(dataDir, 'r.json'),
      join(dataDir, 'after.posture-log'),
    );
    expect(checked).toMatch(/^matches {4}the log.*\nErased {5}\d+ values erased since/);
    await restoredAgain(join(dataDir, 'backup'), join(backup, 'erasures.txt'));
    await rm(join(dataDir, 'backup'), { recursive: true });
    await until('the deliveries of the erasures', async () => {
      const hook = (await admin.all('/api/v3/webhooks')).find(({ enabled }) => enabled);
      return hook.behind === 0;
    });
    expect(receiver.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['posture.asset.erased', 'posture.finding.erased']),
    );
    expect(ofBoth.in(receiver.received.map(({ body }) => body.toString()).join('\n'))).toEqual([]);
    const { read, found } = await searchedTopics();
    expect(found).toEqual([]);
    expect(read['posture.assets']).toBeGreaterThan(0);
    expect(read['posture.findings']).toBeGreaterThan(0);
    expect(await tablesWithTraces(database.pool, ofBoth)).toEqual([]);
    expect(await filesWithTraces(dataDir, ofBoth)).toEqual([]);
    expect(ofBoth.in(service.log)).toEqual([]);
    const known = await posture(env, 'as-of', new Date().toISOString(), '--retired');
    expect(known).toContain('"name":"erased"');
    expect(known.toLowerCase()).not.toContain(ENTITY);
  });

  it('gives the same tables from each checkpoint, archive and exported log', async () => {
    const before = join(dataDir, 'before.posture-checkpoint');
    const after = join(dataDir, 'after.posture-checkpoint');
    await posture(env, 'checkpoint', after);
    const rows = await foldedRows(database);
    expect(rows.filter(({ table }) => table === 'acts').map(({ row }) => row.action)).toContain(
      'subject.erased',
    );
    const unchanged = async (pool: TestDatabase = database) => expect(await foldedRows(pool)).toEqual(rows);
    for (const from of [['--from', before], ['--from', after], []]) {
      await posture(env, 'replay', ...from);
      await unchanged();
    }
    expect(await posture(env, 'archive', env.LOG_ARCHIVE!, '--to', after)).toMatch(
      / were removed from the log/,
    );
    await expectVerified(env);
    for (const from of [[], ['--from', before]]) {
      await posture(env, 'verify', ...from);
      await posture(env, 'replay', ...from);
      await unchanged();
    }
    // The archive contains what the log contained: an export of it is the one from before.
    await posture(env, 'export-log', join(dataDir, 'archived.posture-log'));
    expect(await filesWithTraces(dataDir, ofBoth)).toEqual([]);
    const target = await emptyDatabase();
    try {
      const on = { DATABASE_URL: target.url, DATA_DIR: dataDir, LOG_PARTITIONS: `${PARTITIONS}` };
      const imported = { ...on, LOG_ARCHIVE: join(dataDir, 'none') };
      await posture(imported, 'import-log', join(dataDir, 'archived.posture-log'));
      await posture(imported, 'replay');
      await unchanged(target);
      await expectVerified(imported);
    } finally {
      await target.drop();
    }
  });
});
