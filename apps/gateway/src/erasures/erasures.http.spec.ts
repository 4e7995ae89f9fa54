import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdFold } from '../../../../test/console/held-fold.ts';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { EventStream, type StreamedEvent } from '../../../../test/support/event-stream.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { tablesWithTraces, tracesOf } from '../../../../test/support/traces.ts';
import { until } from '../../../../test/support/until.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const ENV = {
  SEAL_PERSONAL_TEXTS: 'true',
  SEAL_MACHINES: '*-laptop',
  POSTURE_SECRET_KEY: 'k'.repeat(32),
};

let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: ENV });
  admin = await gateway.client('admin');
}, 60_000);
afterAll(() => gateway.stop());

const erase = (given: object) => admin.request('POST', '/api/v3/erasures', JSON.stringify(given), JSON_BODY);

async function report(name: string, type = 'user', attributes = {}): Promise<{ id: string; name: string }> {
  const entity = { type, name, entityAttributes: attributes };
  const sent = await admin.signal(plainSignal('leaked password', '', { entity, description: `of ${name}` }));
  expect(sent.status).toBe(200);
  await admin.folded(sent.body.uploadId);
  const [asset] = await admin.all(`/api/v3/assets?name=${encodeURIComponent(name)}`);
  return asset;
}

/** All changes of an asset and its findings since the beginning of the log. */
async function changesOf(assetId: string): Promise<StreamedEvent[]> {
  const { rows } = await gateway.database.pool.query(
    `select (select count(*) from asset_history)::int + (select count(*) from finding_history)::int as count`,
  );
  const { token } = admin as unknown as { token: string };
  const stream = await EventStream.open(`${gateway.url}/api/v3/changes?topics=assets,findings`, {
    authorization: `Bearer ${token}`,
    'last-event-id': 'a:0.0.0.0,f:0.0.0.0',
  });
  try {
    const events = await stream.take(rows[0].count);
    return events.filter(({ data }) => (data.assetId ?? data.id) === assetId);
  } finally {
    stream.close();
  }
}

const rowOf = async (subject: string) => {
  const { rows } = await gateway.database.pool.query(
    `select lookup, wrapped, destroyed_at from subject_keys where subject = encode($1, 'hex')::uuid`,
    [Buffer.from(subject, 'base64url')],
  );
  return rows[0];
};

const subjects = async (): Promise<{ subject: string }[]> =>
  (await gateway.database.pool.query('select subject from subject_keys')).rows;

it('a report opens sealed texts before it shortens them', async () => {
  const entity = { type: 'user', name: 'long.reader@example.com' };
  const description = `of ${entity.name} `.repeat(120);
  const { body } = await admin.signal(plainSignal('wordy', '', { entity, description }));
  await admin.folded(body.uploadId);
  // A report is of a second ago.
  let told = { findings: [{ description: '' }] };
  await until('the report has the finding', async () => {
    told = await admin.get('/api/v3/reports/technical?name=wordy');
    return told.findings.length > 0;
  });
  expect(told.findings[0]!.description).toMatch(/^of long\.reader@example\.com .*characters more\)$/);
  expect(JSON.stringify(told)).not.toMatch(/[\uFDD0\uFDD1]/);
});

describe('a sealed text that a client sends', () => {
  const body = async (path: string, init?: RequestInit) =>
    (await fetch(`${gateway.url}${path}`, init)).text();

  async function sealedName(): Promise<string> {
    const { id } = await report('olga');
    const { rows } = await gateway.database.pool.query('select name from assets where id = $1', [id]);
    expect(rows[0].name).toMatch(/^\uFDD0.+\uFDD1$/);
    return rows[0].name;
  }

  it.each([
    '/api/v3/sign-in?SEALED',
    '/api/v3/sign-in?x=SEALED',
    '/subjects/SEALED/versions',
    '/subjects/posture.findings-value/versions/SEALED',
    '/no-such/SEALED',
    '/api/v3/findings?SEALED',
  ])('in the address %s is not opened', async (path) => {
    const address = path.replace('SEALED', encodeURIComponent(await sealedName()));
    const { authorization } = admin;
    for (const init of [{}, { headers: { authorization } }]) {
      expect(await body(address, init)).not.toMatch(/olga/);
    }
    expect((await admin.request('GET', address)).body).toMatchObject({
      message: 'the path and the query must not contain U+FDD0 or U+FDD1',
    });
  });

  it('in a form, in credentials and in the address of a view is neither opened nor stored', async () => {
    const sealed = await sealedName();
    const { authorization } = admin;
    const send = (path: string, name: string, value: string) => {
      const form = new FormData();
      form.append(name, value);
      form.append('file', new Blob(['{"matches":[]}']), 'report.json');
      return body(path, { method: 'POST', body: form, headers: { authorization } });
    };
    const form = new FormData();
    form.append(sealed, new Blob(['']), 'signals.zip');
    const basic = `Basic ${Buffer.from(`${sealed}:x`).toString('base64')}`;
    const view = { list: 'findings', name: 'v', query: `${encodeURIComponent(sealed)}=1` };
    const answers = [
      await send('/api/v2/import-scan/', sealed, '1'),
      await send('/api/v2/import-scan/', 'scan_type', sealed),
      await body('/api/v3/signals/zip', { method: 'POST', body: form, headers: { authorization } }),
      await body('/api/v3/auth', { method: 'POST', headers: { authorization: basic } }),
      await body('/api/v3/views', {
        method: 'POST',
        headers: { ...JSON_BODY, authorization },
        body: JSON.stringify(view),
      }),
    ];
    expect(answers.join('\n')).not.toMatch(/olga/);
    const product = new FormData();
    for (const [name, value] of Object.entries({
      scan_type: 'Anchore Grype',
      product_name: sealed,
      engagement_name: 'nightly',
    })) {
      product.append(name, value);
    }
    product.append('file', new Blob([fixtureNamed('Grype').content]), 'report.json');
    expect(
      await body('/api/v2/import-scan/', { method: 'POST', body: product, headers: { authorization } }),
    ).toContain(`"product_name":"${sealed.replace(/[\uFDD0\uFDD1]/g, '\uFFFD')}"`);
    expect(await body('/api/v2/products/', { headers: { authorization } })).not.toMatch(/olga/);
  });

  it('in a report is not opened in the list of findings that were not mapped', async () => {
    const sealed = await sealedName();
    const results = [{ ruleId: sealed, message: { text: 'm' } }];
    const sarif = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results }] });
    for (const content of [sarif, sarif.replaceAll('\uFDD0', '\\ufdd0').replaceAll('\uFDD1', '\\ufdd1')]) {
      const { status, body: answer } = await admin.request(
        'POST',
        '/api/v3/reports?format=sarif&dryRun=true',
        content,
      );
      expect([status, answer.listedFindings]).toEqual([
        200,
        [expect.objectContaining({ name: sealed.replace(/[\uFDD0\uFDD1]/g, '\uFFFD') })],
      ]);
    }
  });
});

describe('an erasure', () => {
  it('destroys the key: readers show "erased", findings are counted as before', async () => {
    const { id } = await report('Ana@acme.com');
    expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({ erasedAt: null });
    const [before] = await admin.all(`/api/v3/findings?assetId=${id}`);
    const { status, body } = await erase({
      subject: { type: 'user', name: 'ANA@acme.com' },
      reason: 'ticket 42',
    });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        state: 'erased',
        erasedValues: expect.any(Number),
        at: expect.any(String),
        by: 'admin',
        reason: 'ticket 42',
        keyDestroyedAt: expect.any(String),
        sameName: [],
      },
    ]);
    expect(body.erasedValues).toBeGreaterThan(0);
    expect(await rowOf(body.id)).toMatchObject({ lookup: null, wrapped: null });
    expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({
      name: 'erased',
      aliases: ['erased'],
      erasedAt: expect.any(String),
    });
    const [after] = await admin.all(`/api/v3/findings?assetId=${id}`);
    expect(after).toMatchObject({
      id: before.id,
      name: 'leaked password',
      assetName: 'erased',
      severity: before.severity,
    });
    const { items } = await admin.get(`/api/v3/findings/${before.id}/history`);
    expect(
      items.map(({ change, reason }: { change: string; reason: string | null }) => [change, reason]),
    ).toEqual([
      ['created', null],
      ['erased', 'user'],
    ]);
    expect(JSON.stringify(items)).not.toMatch(/ana/i);
    expect(await admin.all('/api/v3/audit?action=subject.erased')).toMatchObject([
      { user: 'admin', target: body.id, detail: { reason: 'ticket 42' }, refused: null },
    ]);

    // Again: the same, without a further event. The name is unknown, and is a new subject if it comes again.
    const size = await gateway.logSize();
    expect((await erase({ subject: { id: body.id }, reason: 'another' })).body).toEqual(body);
    expect(await gateway.logSize()).toBe(size);
    expect((await erase({ subject: { type: 'user', name: 'ana@acme.com' }, reason: 'r' })).status).toBe(404);
    expect((await report('ana@acme.com')).id).not.toBe(id);
    expect((await admin.all('/api/v3/erasures'))[0]).toEqual({
      ...body,
      sameName: undefined,
      erasedValues: undefined,
    });
  });

  it('is sent to subscribers, and no change of the past shows a text any more', async () => {
    const { id } = await report('Greta@acme.com');
    const before = await changesOf(id);
    expect(before.map(({ event }) => event).sort()).toEqual(['asset', 'finding']);
    expect(JSON.stringify(before)).toContain('of Greta@acme.com');
    expect(
      (await erase({ subject: { type: 'user', name: 'greta@acme.com' }, reason: 'ticket 45' })).status,
    ).toBe(200);
    const after = await changesOf(id);
    expect(after.map(({ event, data }) => `${event} ${data.change.name}`).sort()).toEqual([
      'asset created',
      'asset erased',
      'finding created',
      'finding erased',
    ]);
    expect(JSON.stringify(after)).not.toMatch(/greta/i);
    const erasedAt = (event: string) =>
      after.find(({ data }) => `asset ${data.change.name}` === event)?.data.erasedAt;
    expect([erasedAt('asset created'), erasedAt('asset erased')]).toEqual([null, expect.any(String)]);
  });

  it('of a person requires that the credential is deleted, and removes the sign-ins', async () => {
    const added = await admin.request(
      'POST',
      '/api/v3/credentials',
      JSON.stringify({ username: 'ben', role: 'admin' }),
      JSON_BODY,
    );
    const authorization = `Basic ${Buffer.from(`ben:${added.body.password}`).toString('base64')}`;
    const signedIn = await fetch(`${gateway.url}/api/v3/auth`, {
      method: 'POST',
      headers: { authorization },
    });
    const { accessToken } = (await signedIn.json()) as { accessToken: string };
    const signIns = async () =>
      (await gateway.database.pool.query(`select 1 from security_events where user_name = 'ben'`)).rowCount;
    await until('the sign-in', async () => (await signIns()) === 1);
    await report('ben');
    const refused = await erase({ subject: { type: 'person', name: 'ben' }, reason: 'left' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'the subject has the credential ben: delete the credential first',
    ]);
    await admin.request('DELETE', `/api/v3/credentials/${added.body.id}`);
    const { status, body } = await erase({ subject: { type: 'person', name: 'ben' }, reason: 'left' });
    expect([status, body.sameName]).toEqual([200, ['user:ben']]);
    expect(await signIns()).toBe(0);
    const acts = await admin.all('/api/v3/audit?action=credential.deleted');
    expect(acts).toMatchObject([{ user: 'admin', detail: { after: { username: 'erased' } } }]);
    // A program of the person may still send the token.
    const late = await fetch(`${gateway.url}/api/v3/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(late.status).toBe(401);
    const events = () => admin.all('/api/v3/security-events?reason=revoked');
    await until('the event', async () => (await events()).length === 1);
    expect(await events()).toMatchObject([{ user: null, token: expect.any(String) }]);
    expect(await signIns()).toBe(0);
  });

  it('of an API token requires that the token is revoked, and covers its name; names of roles stay', async () => {
    const send = async (path: string, given: object) =>
      (await admin.request('POST', path, JSON.stringify(given), JSON_BODY)).body;
    await send('/api/v3/roles', { name: 'reader', scopes: ['findings:read'] });
    const { id, token } = await send('/api/v3/tokens', {
      name: 'laptop-of-hugo',
      scopes: ['signals:write'],
    });
    const uploaded = await fetch(`${gateway.url}/api/v3/signals`, {
      method: 'POST',
      headers: { ...JSON_BODY, authorization: `Bearer ${token}` },
      body: JSON.stringify(plainSignal('open port', 'web01')),
    });
    const { uploadId } = (await uploaded.json()) as { uploadId: string };
    const subject = { type: 'person', name: 'token:laptop-of-hugo' };
    const refused = await erase({ subject, reason: 'left' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'the subject is the API token token:laptop-of-hugo: revoke the token first',
    ]);
    await admin.request('DELETE', `/api/v3/tokens/${id}`);
    expect((await erase({ subject, reason: 'left' })).status).toBe(200);
    expect((await admin.folded(uploadId)).by).toBe('erased');
    const audit = JSON.stringify(await admin.all('/api/v3/audit'));
    expect(audit).not.toContain('hugo');
    expect(audit).toContain('credential.tokenCreated');
    const [role] = await admin.all('/api/v3/audit?action=credential.roleCreated');
    expect(role).toMatchObject({ target: 'reader', detail: { after: { username: 'reader' } } });
    expect((await erase({ subject: { type: 'person', name: 'reader' }, reason: 'r' })).status).toBe(404);
  });

  it('of a name of an API token requires that the renamed token is revoked, and names its other names', async () => {
    const send = async (method: string, path: string, given?: object) =>
      (await admin.request(method, `/api/v3/tokens${path}`, given && JSON.stringify(given), JSON_BODY)).body;
    const { id } = await send('POST', '', { name: 'laptop-of-vera', scopes: ['signals:write'] });
    await send('PATCH', `/${id}`, { name: 'ci' });
    const acts = async () => (await admin.all(`/api/v3/audit?target=${id}`)).length;
    await until('the fold', async () => (await acts()) === 2);
    const former = { type: 'person', name: 'token:laptop-of-vera' };
    const refused = await erase({ subject: former, reason: 'left' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'the subject is a former name of the API token token:ci: revoke the token first',
    ]);
    await send('DELETE', `/${id}`);
    const { status, body } = await erase({ subject: { type: 'person', name: 'token:ci' }, reason: 'left' });
    expect([status, body.sameName]).toEqual([200, ['person:token:laptop-of-vera']]);
    expect((await erase({ subject: former, reason: 'left' })).body).toMatchObject({
      state: 'erased',
      sameName: [],
    });
    expect(JSON.stringify(await admin.all('/api/v3/audit'))).not.toContain('vera');
    expect((await erase({ subject: { id: body.id }, reason: 'left' })).body.sameName).toEqual([]);
  });

  it('of a machine covers its names, addresses and findings; other machines are not sealed', async () => {
    const attributes = { ipAddresses: [{ ipv4: '8.8.8.8' }] };
    const { id, name } = await report('Ida-Laptop.home.example', 'machine', attributes);
    expect(name).toBe('ida-laptop.home.example');
    // One machine, by each of its names.
    expect((await report('IDA-LAPTOP', 'machine')).id).toBe(id);
    expect((await admin.all('/api/v3/assets?q=ida-laptop')).map((asset) => asset.id)).toEqual([id]);
    expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({
      hostname: 'ida-laptop',
      fqdn: 'ida-laptop.home.example',
      ipAddresses: ['8.8.8.8'],
    });
    const server = await report('ida-server', 'machine');
    const stored = `select entity_key, state::text from assets where id = any($1)`;
    const rows = async () => (await gateway.database.pool.query(stored, [[id, server.id]])).rows;
    expect((await rows()).filter(({ state }) => state.includes('ida-'))).toMatchObject([
      { entity_key: 'machine:ida-server' },
    ]);
    const unknown = await erase({ subject: { type: 'machine', name: 'ida-server' }, reason: 'r' });
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringContaining('no subject has the type machine and the name ida-server'),
    ]);
    const { status, body } = await erase({
      subject: { type: 'machine', name: 'Ida-Laptop.home.example' },
      reason: 'sold',
    });
    expect([status, body.state, body.sameName]).toEqual([200, 'erased', []]);
    expect(body.erasedValues).toBeGreaterThan(5);
    expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({
      name: 'erased',
      hostname: 'erased',
      fqdn: 'erased',
      ipAddresses: ['erased'],
      erasedAt: expect.any(String),
    });
    const [finding] = await admin.all(`/api/v3/findings?assetId=${id}`);
    expect(finding).toMatchObject({ name: 'leaked password', assetName: 'erased' });
    expect((await erase({ subject: { id: body.id }, reason: 'again' })).body).toEqual(body);
    expect((await report('ida-laptop', 'machine')).id).not.toBe(id);
  });

  it('of a machine covers the product of DefectDojo that has its name', async () => {
    const traces = tracesOf(['zqana-laptop']);
    const dojo = async (path: string, fields?: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value);
      form.append('file', new Blob([fixtureNamed('Grype').content]), 'report.json');
      const { authorization } = admin;
      const response = await fetch(`${gateway.url}/api/v2/${path}`, {
        headers: { authorization, prefer: 'wait=60' },
        ...(fields && { method: 'POST', body: form }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
      return { status: response.status, body: (await response.json()) as any };
    };
    const scan = { scan_type: 'Anchore Grype' };
    const named = { ...scan, product_name: 'zqana-laptop', engagement_name: 'nightly' };
    const first = await dojo('import-scan/', named);
    expect(first).toMatchObject({ status: 201, body: { product_name: 'zqana-laptop' } });
    const again = { ...scan, engagement: String(first.body.engagement_id) };
    expect((await dojo('import-scan/', again)).body).toMatchObject({
      product_id: first.body.product_id,
      product_name: 'zqana-laptop',
    });
    const product = { id: first.body.product_id, name: 'zqana-laptop' };
    const found = async (name: string) => (await dojo(`products/?name=${name}`)).body.results;
    expect(await found('zqana-laptop')).toMatchObject([product]);
    const known = (await subjects()).length;
    expect(await found('unknown-laptop')).toEqual([]);
    expect(await subjects()).toHaveLength(known);
    expect(await tablesWithTraces(gateway.database.pool, traces)).toEqual([]);

    const subject = { type: 'machine', name: 'zqana-laptop' };
    expect((await erase({ subject, reason: 'sold' })).status).toBe(200);
    expect(await tablesWithTraces(gateway.database.pool, traces)).toEqual([]);
    expect((await dojo('products/')).body.results).toContainEqual(
      expect.objectContaining({ id: product.id, name: 'erased' }),
    );
    expect(await found('zqana-laptop')).toEqual([]);
    expect(await dojo('import-scan/', again)).toMatchObject({ status: 400 });
    expect((await dojo('import-scan/', named)).body.product_id).not.toBe(product.id);
  });

  it('of a machine by its id waits for its first event: it would reach no asset before', async () => {
    const release = await holdFold(gateway.database.url);
    let id: string;
    try {
      const known = new Set((await subjects()).map(({ subject }) => subject));
      const entity = { type: 'machine', name: 'lea-laptop' };
      expect((await admin.signal(plainSignal('open port', '', { entity }))).status).toBe(200);
      const added = (await subjects()).filter(({ subject }) => !known.has(subject));
      expect(added).toHaveLength(1);
      id = Buffer.from(added[0]!.subject.replaceAll('-', ''), 'hex').toString('base64url');
      const size = await gateway.logSize();
      const { status, body } = await erase({ subject: { id }, reason: 'sold' });
      expect([status, body.message]).toEqual([503, expect.stringContaining('not folded yet')]);
      expect(await gateway.logSize()).toBe(size);
    } finally {
      await release();
    }
    expect((await erase({ subject: { id }, reason: 'sold' })).status).toBe(200);
    const { rows } = await gateway.database.pool.query('select id from assets where entity_key = $1', [
      `machine:~${id}`,
    ]);
    expect(await admin.get(`/api/v3/assets/${rows[0].id}`)).toMatchObject({
      name: 'erased',
      erasedAt: expect.any(String),
    });
  });

  it('a name that looks like the key of a sealed machine is another machine', async () => {
    const { id } = await report('kim-laptop', 'machine');
    const key = async (of: string) =>
      (await gateway.database.pool.query('select entity_key from assets where id = $1', [of])).rows[0]
        .entity_key as string;
    const [, forged] = (await key(id)).split(':');
    const other = await report(forged!, 'machine');
    expect(other.id).not.toBe(id);
    expect(await key(other.id)).toMatch(/^machine:~[\w-]{22}$/);
  });

  it('continues in another gateway if it was interrupted after its event', async () => {
    const { id } = await report('carl');
    const keys = () =>
      gateway.database.pool.query('select subject from subject_keys where wrapped is not null');
    // The key cannot be destroyed after the event, as if the process had been killed then.
    await gateway.database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
       create trigger refuse before update on subject_keys execute function refuse()`,
    );
    const { status, body } = await erase({ subject: { type: 'user', name: 'carl' }, reason: 'ticket 43' });
    expect([status, body.message]).toEqual([
      503,
      expect.stringContaining('the erasure is stored in the log'),
    ]);
    expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({ name: 'carl' });
    const [pending] = await admin.all('/api/v3/erasures');
    expect(pending).toMatchObject({ state: 'pending', reason: 'ticket 43', keyDestroyedAt: null });
    const left = (await keys()).rowCount!;
    await gateway.database.pool.query('drop trigger refuse on subject_keys; drop function refuse');
    const other = await StartedGateway.start({ beside: gateway, env: ENV });
    try {
      expect((await keys()).rowCount).toBe(left - 1);
      const reader = await other.client('admin');
      expect(await reader.get(`/api/v3/assets/${id}`)).toMatchObject({ name: 'erased' });
    } finally {
      await other.stop();
    }
    expect(
      (await admin.all('/api/v3/audit?action=subject.erased')).filter(({ target }) => target === pending.id),
    ).toHaveLength(1);
  }, 60_000);

  it('erases a subject whose key was changed', async () => {
    await report('dora');
    await gateway.database.pool.query(
      `update subject_keys set wrapped = (select wrapped from subject_keys where lookup is null and wrapped is not null)
        where created_at = (select max(created_at) from subject_keys)`,
    );
    expect((await erase({ subject: { type: 'user', name: 'dora' }, reason: 'r' })).status).toBe(200);
  });

  it('stores nothing if the keys do not answer', async () => {
    await report('eve');
    const size = await gateway.logSize();
    await gateway.database.pool.query('alter table subject_keys rename to away');
    const { status } = await erase({ subject: { type: 'user', name: 'eve' }, reason: 'r' });
    await gateway.database.pool.query('alter table away rename to subject_keys');
    expect(status).toBe(503);
    expect(await gateway.logSize()).toBe(size);
  });

  it.each([
    [{ reason: 'r' }, 400],
    [{ subject: null, reason: 'r' }, 400],
    [{ subject: 'user:ana', reason: 'r' }, 400],
    [{ subject: {}, reason: 'r' }, 400],
    [{ subject: { type: 'user' }, reason: 'r' }, 400],
    [{ subject: { name: 'ana' }, reason: 'r' }, 400],
    [{ subject: { type: 'user', name: ' ' }, reason: 'r' }, 400],
    [{ subject: { type: 'machine', name: 'web01' }, reason: 'r' }, 404],
    [{ subject: { type: 'host', name: 'web01' }, reason: 'r' }, 400],
    [{ subject: { id: 'short' }, reason: 'r' }, 400],
    [{ subject: { id: null }, reason: 'r' }, 400],
    [{ subject: { id: 'A'.repeat(22), type: 'user', name: 'ana' }, reason: 'r' }, 400],
    [{ subject: { type: 'user', name: 'ana' } }, 400],
    [{ subject: { type: 'user', name: 'ana' }, reason: ' ' }, 400],
    [{ subject: { type: 'user', name: 'ana' }, reason: 'r'.repeat(4_001) }, 400],
    [{ subject: { type: 'user', name: 'nobody' }, reason: 'r' }, 404],
    [{ subject: { id: randomBytes(16).toString('base64url') }, reason: 'r' }, 404],
    // The row with the key of the lookups is no subject.
    [{ subject: { id: 'A'.repeat(22) }, reason: 'r' }, 404],
  ])('rejects %j with %i, and stores nothing', async (given, expected) => {
    const size = await gateway.logSize();
    expect((await erase(given)).status).toBe(expected);
    expect(await gateway.logSize()).toBe(size);
  });

  it('requires an admin', async () => {
    const analyst = await gateway.client('analyst');
    const given = JSON.stringify({ subject: { type: 'user', name: 'ana' }, reason: 'r' });
    expect((await analyst.request('POST', '/api/v3/erasures', given, JSON_BODY)).status).toBe(403);
  });
});
