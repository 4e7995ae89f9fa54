import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { expectVerified } from '../support/verify.ts';

let program: StandaloneHere;
let client: ApiClient;
beforeAll(async () => {
  program = await StandaloneHere.start();
  client = await program.client();
}, 90_000);
afterAll(() => program.stopAndRemove());

const signalCount = async () => (await client.all('/api/v3/uploads')).length;

/** Whatever is refused leaves no trace: no upload, no finding, and nothing more in the log. */
async function expectRefused(
  answer: { status: number; body: any },
  status: number,
  message: RegExp,
  before: number,
): Promise<void> {
  expect({ status: answer.status, message: answer.body.message }).toEqual({
    status,
    message: expect.stringMatching(message),
  });
  expect(answer.body.statusCode).toBe(status);
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|at .*\.js/);
  expect(await signalCount()).toBe(before);
}

describe('invalid JSON (R-SIG-1)', () => {
  const text = JSON.stringify(plainSignal('a', 'web01'), null, 2);
  it.each([
    ['single quotes', text.replaceAll('"', "'"), /line 2, column 3/],
    ['a missing comma', text.replace('"1.0",', '"1.0"'), /line 3, column 3/],
    ['an unclosed bracket', text.slice(0, text.lastIndexOf('}')), /line \d+/],
    ['nothing', '', /empty/i],
    ['an array', '[]', /object/],
  ])('says where: %s', async (_what, body, message) => {
    const before = await signalCount();
    await expectRefused(await client.signal(body), 400, message, before);
  });
});

describe('signals with a wrong or missing field: 400 with its path and the expected value', () => {
  const base = plainSignal('a', 'web01');
  it.each<[string, unknown, RegExp]>([
    ['no id', { ...base, id: undefined }, /id/],
    ['an id that is no GUID', { ...base, id: '12' }, /id/],
    ['no name', { ...base, name: undefined }, /name/],
    ['no entity', { ...base, entity: undefined }, /entity/],
    [
      'an entity type that is not accepted (R-ENT-1)',
      { ...base, entity: { type: 'file', name: 'x' } },
      /entity\.type.*machine/,
    ],
    ['no context (R-SIG-5)', { ...base, securityContext: undefined }, /securityContext/],
    ['both contexts (R-SIG-5)', { ...base, securityContexts: [base.securityContext] }, /securityContext/],
    [
      'a severity out of range',
      { ...base, securityContext: { ...base.securityContext, severity: { value: 11 } } },
      /securityContext\.severity\.value.*10/,
    ],
    [
      'statuses that disagree (R-SIG-6)',
      {
        ...base,
        securityContext: { ...base.securityContext, complianceStatus: { status: 'Qualified' } },
      },
      /complianceStatus/,
    ],
  ])('%s', async (_what, signal, message) => {
    const before = await signalCount();
    await expectRefused(await client.signal(signal), 400, message, before);
  });
});

describe('a ZIP with one bad entry among 1,000', () => {
  const entries = () =>
    Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`${i}.json`, plainSignal(`f${i}`, `host${i % 50}`)]),
    );

  it('is rejected whole, naming the entry (R-ZIP-5)', async () => {
    const before = await signalCount();
    const zip = await zipOf({ ...entries(), '500.json': { ...plainSignal('f', 'h'), name: 7 } });
    const answer = await client.zip(zip);
    await expectRefused(answer, 400, /500\.json/, before);
    expect(answer.body.errors).toEqual([{ entry: '500.json', field: 'name', message: expect.any(String) }]);
    expect(await client.all('/api/v3/assets')).toEqual([]);
  });

  it('is stored without it under ?invalid=skip, and replaces nothing of that host', async () => {
    const config = { fullAssessmentForTypes: ['va'] };
    await client.folded((await client.zip(await zipOf(entries()))).body.uploadId);
    const second = Object.fromEntries(
      ['host0', 'host1'].map((host) => [`${host}.json`, plainSignal('the only one left', host)]),
    );
    const zip = await zipOf({
      ...second,
      'bad.json': { ...plainSignal('f', 'host1'), id: 'no' },
      'config.json': config,
    });
    const { status, body } = await client.zip(zip, {}, '?invalid=skip');
    expect({ status, body }).toMatchObject({ status: 200, body: { accepted: 2, rejected: 1 } });
    await client.folded(body.uploadId);
    const count = async (host: string) => {
      const asset = (await client.all(`/api/v3/assets?name=${host}`)).find(({ name }) => name === host);
      return (await client.all(`/api/v3/assets/${asset.id}/findings`)).length;
    };
    expect(await count('host0')).toBe(1);
    expect(await count('host1')).toBe(21);
  }, 60_000);
});

describe('text that a database cannot hold (U+0000, lone surrogates)', () => {
  it('is folded as U+FFFD in every place, never a stopped partition', async () => {
    const nasty = 'a\u0000b\ud800c';
    const signal = {
      ...plainSignal(`name ${nasty}`, 'nasty01'),
      description: nasty,
      source: { name: nasty },
      unknown: { [nasty]: nasty },
      entity: {
        type: 'machine',
        name: 'nasty01',
        entityAttributes: { type: nasty, tags: { [nasty]: [nasty], dept: [nasty], __proto__: ['x'] } },
      },
      tags: { [nasty]: nasty },
    };
    const { status, body } = await client.zip(
      await zipOf({ [`e${nasty}.json`]: JSON.stringify(signal), 'b.json': plainSignal('after', 'nasty01') }),
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    await client.folded(body.uploadId);
    const findings = await client.all('/api/v3/findings?name=name');
    expect(findings.map(({ name }) => name)).toEqual(['name a\ufffdb\ufffdc']);
    const [asset] = (await client.get('/api/v3/assets?name=nasty01')).items;
    expect(asset).toMatchObject({ department: 'a\ufffdb\ufffdc', findings: { failed: 2 } });
  });
});

describe('passwords in entity.connectionAttributes (R-SIG-17)', () => {
  it('reach neither log, tables nor program output, and a warning names them', async () => {
    const secret = 'hunter2-never-to-be-seen';
    const withSecret = plainSignal('secret', 'vault01', {
      entity: { type: 'machine', name: 'vault01', connectionAttributes: { password: secret, user: 'root' } },
    });
    const json = await client.signal(withSecret);
    expect(json.body.warnings).toContainEqual({
      field: 'entity.connectionAttributes',
      message: expect.any(String),
    });
    const zip = await client.zip(await zipOf({ 'a.json': withSecret }));
    expect(zip.body.warnings).toContainEqual(
      expect.objectContaining({ field: 'entity.connectionAttributes' }),
    );
    await client.folded(json.body.uploadId);
    await client.folded(zip.body.uploadId);
    await client.signal(JSON.stringify(withSecret).replace('"id"', '"id" broken'));
    expect(program.log).not.toContain(secret);
    const { openDatabase } = await import('#libs/database');
    const database = openDatabase(program.databaseUrl, { max: 1 });
    try {
      const { rows: tables } = await database.pool.query(
        `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
      );
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const { rows } = await database.pool.query(
          `select count(*) as hits from ${name} t where t::text like $1 or encode(convert_to($2, 'utf8'), 'hex') <> ''
             and position(encode(convert_to($2, 'utf8'), 'hex') in t::text) > 0`,
          [`%${secret}%`, secret],
        );
        expect({ name, hits: rows[0].hits }).toEqual({ name, hits: 0 });
      }
    } finally {
      await database.close();
    }
  });
});

describe('everything else', () => {
  it('unknown routes are a JSON 404, with or without a token', async () => {
    for (const path of ['/api/v3/nothing', '/nothing', '/api/v1/signals', '/api/v2/signals']) {
      const anonymous = await fetch(`${program.url}${path}`);
      expect(anonymous.status).toBe(404);
      expect(await anonymous.json()).toMatchObject({
        statusCode: 404,
        error: 'Not Found',
        message: expect.any(String),
      });
      expect((await client.request('GET', path)).status).toBe(404);
    }
  });

  it('bad or missing tokens are a 401 with a message', async () => {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi']) {
      const response = await fetch(`${program.url}/api/v3/assets`, {
        headers: authorization ? { authorization } : {},
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ statusCode: 401, message: expect.any(String) });
    }
  });

  it.each([
    ['/api/v3/assets?nonsense=1', /nonsense/],
    ['/api/v3/assets?limit=501', /limit/],
    ['/api/v3/assets?cursor=abc', /cursor/],
    ['/api/v3/findings?state=Broken', /state/],
    ['/api/v3/findings?severityMin=11', /severityMin/],
    ['/api/v3/findings?cve=log4shell', /cve/],
    ['/api/v3/findings?assetId=1', /assetId/],
    ['/api/v3/findings/1', /uuid/i],
    ['/api/v3/uploads?limit=0', /limit/],
  ])('%s is a 400 that says what', async (path, message) => {
    const { status, body } = await client.request('GET', path);
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  it.each(['assets', 'findings', 'uploads'])('an unknown id among %s is a 404', async (list) => {
    const { status } = await client.request('GET', `/api/v3/${list}/00000000-0000-4000-8000-000000000000`);
    expect(status).toBe(404);
  });

  it('left tables that equal the fold of the log', () => expectVerified(program.env), 60_000);
});
