import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { expectVerified, posture } from '../support/verify.ts';

/** In every personal text of the entity, and in those of the user who acts. */
const ENTITY = 'zqentity';
const ACTOR = 'zqactor';
const NAME = `Ana.${ENTITY}@acme.com`;
const JSON_BODY = { 'content-type': 'application/json' };
/** With the names of users, which are needed to sign in (docs/privacy.md). */
const WITH_USERS = ['credentials', 'security_events'];
/** Contains these tables. */
const BACKUP_OF_TABLES = ['keys.posture-backup', 'tables.posture-backup'];
const CHECKSUM_BYTES = 32;

let database: TestDatabase;
let dataDir: string;
let service: StartedStandalone;
let admin: ApiClient;
let actor: ApiClient;
let env: Record<string, string>;
/** Instant of the report from before the erasure. */
let reportedAt: string;

const signal = (name: string, given: object = {}) =>
  plainSignal(name, '', {
    entity: {
      type: 'user',
      name: NAME,
      entityAttributes: {
        ipAddresses: [{ ipv4: `${ENTITY} address` }],
        tags: { team: `${ENTITY} team`, Owner: `${ENTITY} owner` },
      },
    },
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
  [database, dataDir] = await Promise.all([emptyDatabase(), temporaryDataDir()]);
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_PARTITIONS: '2', SEAL_PERSONAL_TEXTS: 'true' };
  service = await StartedStandalone.start(dataDir, env);
  admin = await service.client();
  const added = await admin.request(
    'POST',
    '/api/v3/credentials',
    JSON.stringify({ username: ACTOR, role: 'admin' }),
    JSON_BODY,
  );
  expect(added.status).toBe(200);
  actor = await ApiClient.signIn(service.url, { username: ACTOR, password: added.body.password });
}, 240_000);
afterAll(async () => {
  await service?.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const uploadZip = async () =>
  actor.zip(
    await zipOf({
      [`${ENTITY}.json`]: signal('leaked password', { firstSeen: 'never' }),
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
      /\nErased {5}2 subjects again/,
    );
    const { rows } = await target.pool.query(
      'select count(*)::int as keys from subject_keys where wrapped is not null and lookup is not null',
    );
    // That of the first admin.
    expect(rows).toEqual([{ keys: 1 }]);
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
async function erase(subject: string): Promise<string> {
  const given = JSON.stringify({ subject, reason: 'a request' });
  const { status, body } = await admin.request('POST', '/api/v3/erasures', given, JSON_BODY);
  expect([status, body.keyDestroyedAt]).toEqual([200, expect.any(String)]);
  return body.subject;
}

/** Tables that contain the marker, in text or in bytes. */
async function tablesWith(marker: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: hits } = await database.pool.query(
      `select from "${name}" t where strpos(lower(t::text), $1) > 0 or strpos(t::text, $2) > 0
        or strpos(t::text, $3) > 0 limit 1`,
      [marker, Buffer.from(marker).toString('hex'), Buffer.from(marker.toUpperCase()).toString('hex')],
    );
    if (hits.length > 0) found.push(name);
  }
  return found;
}

async function filesWith(marker: string, folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of files.filter((file) => file.isFile())) {
    const bytes = await readFile(join(parentPath, name));
    const isPacked = bytes.includes(Buffer.from([0x1f, 0x8b]));
    const texts = isPacked
      ? [bytes, gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1, bytes.length - CHECKSUM_BYTES))]
      : [bytes];
    if (texts.some((text) => text.toString('latin1').toLowerCase().includes(marker))) found.push(name);
  }
  return found;
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
      outcome: { created: 2, assetsCreated: 2 },
      warnings: [{ entry: `${ENTITY}.json`, field: 'firstSeen' }],
    });
    expect((await uploadZip()).body).toMatchObject({
      uploadId: upload.id,
      warnings: [{ entry: `${ENTITY}.json` }],
    });
    const assets = await actor.all('/api/v3/assets');
    expect(assets.map(({ name }) => name).sort()).toEqual([NAME, 'web01']);
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
  });

  it('stores nothing in the clear: in no table, segment, backup or line of the log', async () => {
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
    expect(await tablesWith(ENTITY)).toEqual([]);
    expect(await tablesWith(ACTOR)).toEqual(WITH_USERS);
    expect(await filesWith(ENTITY, dataDir)).toEqual([]);
    expect((await filesWith(ACTOR, dataDir)).sort()).toEqual(BACKUP_OF_TABLES);
    expect(service.log.toLowerCase()).not.toContain(ENTITY);
    expect(service.log.toLowerCase()).not.toContain(ACTOR);
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
    await database.pool.query('alter table away rename to subject_keys');
    for (const { status, body } of [refused, refusedZip]) {
      expect([status, body.message]).toEqual([503, expect.stringContaining('no data was stored')]);
    }
    expect(await ends()).toEqual(before);
    expect(await tablesWith(ENTITY)).toEqual([]);
    expect((await uploaded(await actor.signal(other))).outcome).toMatchObject({ assetsCreated: 1 });
  });

  it('shows "erased" after an erasure, and counts and scores as before', async () => {
    const counts = async () => ({
      findings: await admin.get('/api/v3/findings/counts'),
      organization: (await admin.get('/api/v3/scores/organization')).score,
    });
    const before = await counts();
    await actorIsGone();
    const erased = [
      await erase(`user:${NAME}`),
      await erase(`user:new.${ENTITY}`),
      await erase(`person:${ACTOR}`),
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
    expect(await counts()).toEqual(before);
    expect((await admin.all('/api/v3/erasures')).map(({ subject }) => subject).sort()).toEqual(erased.sort());
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
    for (const marker of [ENTITY, ACTOR]) {
      expect(await tablesWith(marker)).toEqual([]);
      expect(await filesWith(marker, dataDir)).toEqual([]);
      expect(service.log.toLowerCase()).not.toContain(marker);
    }
    const known = await posture(env, 'as-of', new Date().toISOString(), '--retired');
    expect(known).toContain('"name":"erased"');
    expect(known.toLowerCase()).not.toContain(ENTITY);
  });
});
