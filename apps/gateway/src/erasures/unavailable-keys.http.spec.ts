import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const ENV = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };
const NEW = 'zelda@acme.com';

let gateway: StartedGateway;
const others: StartedGateway[] = [];

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: ENV });
  const admin = await gateway.client('admin');
  for (const name of ['ana', 'ben']) await folded(admin, name);
});
afterAll(async () => {
  for (const other of others) await other.stop();
  await gateway.stop();
});

const signalOf = (name: string) =>
  plainSignal('leaked password', '', { entity: { type: 'user', name }, description: `of ${name}` });

async function folded(client: ApiClient, name: string): Promise<void> {
  const { status, body } = await client.signal(signalOf(name));
  expect(status).toBe(200);
  await client.folded(body.uploadId);
}

/** A gateway that has no key in memory. */
async function newGateway(env: object = {}): Promise<{ other: StartedGateway; admin: ApiClient }> {
  const other = await StartedGateway.start({ beside: gateway, env: { ...ENV, ...env } });
  others.push(other);
  return { other, admin: await other.client('admin') };
}

const namesOf = async (client: ApiClient) =>
  (await client.all('/api/v3/assets')).map(({ name }) => name).sort();

/** Every way to append data of a person or about one. */
const appends = (client: ApiClient, name: string) => ({
  signal: () => client.signal(signalOf(name), { 'idempotency-key': Buffer.from(name).toString('hex') }),
  zip: async () => client.zip(await zipOf({ 'a.json': signalOf(name) })),
  act: async () => {
    const [{ id }] = await client.all('/api/v3/findings?state=Failed');
    const given = JSON.stringify({ rationale: `said by ${name}` });
    return client.request('POST', `/api/v3/findings/${id}/accept`, given, JSON_BODY);
  },
});

async function refuses(client: ApiClient, name: string, message: RegExp): Promise<void> {
  const size = await gateway.logSize();
  for (const [way, append] of Object.entries(appends(client, name))) {
    const { status, headers, body } = await append();
    expect([way, status, body.message]).toEqual([way, 503, expect.stringMatching(message)]);
    expect(headers.get('retry-after')).not.toBeNull();
  }
  expect(await gateway.logSize()).toBe(size);
  expect(await tablesWith(name)).toEqual([]);
}

/** Tables with a text, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = gateway.database;
  const { rows } = await pool.query(`select tablename as name from pg_tables where schemaname = 'public'`);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [
      `%${text}%`,
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}

describe('keys of personal texts (R-KEY-6)', () => {
  it('that do not answer: readers say so, and nothing is appended', async () => {
    const { other, admin } = await newGateway();
    await gateway.database.pool.query('alter table subject_keys rename to away');
    try {
      expect(await namesOf(admin)).toEqual(['unavailable', 'unavailable']);
      const [finding] = await admin.all('/api/v3/findings');
      expect(finding).toMatchObject({ name: 'leaked password', assetName: 'unavailable' });
      const csv = await fetch(`${other.url}/api/v3/findings/export?format=csv`, {
        headers: { authorization: admin.authorization },
      });
      expect(await csv.text()).toMatch(/unavailable/);
      await refuses(admin, NEW, /^the keys of personal texts are unavailable: no data was stored/);
    } finally {
      await gateway.database.pool.query('alter table away rename to subject_keys');
    }
    expect(other.lines.join('\n')).toContain('personal texts cannot be decrypted');
    expect(await namesOf(admin)).toEqual(['ana', 'ben']);
    for (const append of Object.values(appends(admin, NEW))) expect((await append()).status).toBe(200);
  });

  it('of which one was changed: only its texts are unavailable, and nothing is appended with it', async () => {
    const { rows } = await gateway.database.pool.query(
      `update subject_keys set wrapped = (select wrapped from subject_keys where lookup is null)
        where subject = (select subject from subject_keys where lookup is not null order by created_at desc limit 1)
        returning encode(decode(replace(subject::text, '-', ''), 'hex'), 'base64') as short`,
    );
    expect(rows).toHaveLength(1);
    const { other, admin } = await newGateway();
    expect(await namesOf(admin)).toEqual(['ana', 'ben', 'unavailable']);
    const size = await gateway.logSize();
    for (const sent of [await admin.signal(signalOf(NEW)), await appends(admin, NEW).zip()]) {
      expect([sent.status, sent.body.message]).toEqual([
        503,
        expect.stringMatching(/^a key of .* is damaged/),
      ]);
    }
    expect(await gateway.logSize()).toBe(size);
    expect(other.lines.join('\n')).toMatch(/the key of subject [\w-]{36} was changed, or belongs to another/);
    expect(other.lines.join('\n')).not.toMatch(/zelda/);
    await folded(admin, 'ben');
  });

  it('that were wrapped with another secret: readers say so, and nothing is appended', async () => {
    const { other, admin } = await newGateway({ POSTURE_SECRET_KEY: 'o'.repeat(32) });
    expect(await namesOf(admin)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    await refuses(admin, 'yorick', /^a key of personal texts is damaged or missing: no data was stored/);
    expect(other.lines.join('\n')).toContain('set POSTURE_PREVIOUS_SECRET_KEY to it');
  });

  it('of which one is missing: no text is appended that it would seal, until it is restored', async () => {
    const { admin: before } = await newGateway();
    await folded(before, 'carla');
    const { id } = (await before.all('/api/v3/findings')).find(({ assetName }) => assetName === 'carla')!;
    const { pool } = gateway.database;
    const newest = `subject = (select subject from subject_keys where lookup is not null order by created_at desc limit 1)`;
    await pool.query(`create table lost as select * from subject_keys where ${newest}`);
    await pool.query(`delete from subject_keys where ${newest}`);
    const { other, admin } = await newGateway();
    const size = await gateway.logSize();
    const given = JSON.stringify({ rationale: 'RISK-42, until the June window' });
    const accept = () => admin.request('POST', `/api/v3/findings/${id}/accept`, given, JSON_BODY);
    const refused = await accept();
    expect([refused.status, refused.body.message]).toEqual([
      503,
      expect.stringMatching(/^a key of personal texts is damaged or missing: no data was stored/),
    ]);
    expect(await gateway.logSize()).toBe(size);
    expect(other.lines.join('\n')).toMatch(/the key of subject [\w-]{22} is missing: restore subject_keys/);

    await pool.query('insert into subject_keys select * from lost');
    await pool.query('drop table lost');
    expect((await accept()).status).toBe(200);
    const { items } = await admin.get(`/api/v3/findings/${id}/history`);
    expect(JSON.stringify(items)).toContain('RISK-42');
  });
});
