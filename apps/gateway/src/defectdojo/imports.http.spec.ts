import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIXTURES, fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { SCAN_TYPES } from './scan-types.ts';

let gateway: StartedGateway;
let client: ApiClient;
let files: string;
const outerTmp = process.env.TMPDIR;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  client = await gateway.client('analyst');
  files = await mkdtemp(join(tmpdir(), 'posture-imports-'));
  process.env.TMPDIR = files;
});
afterAll(async () => {
  if (outerTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outerTmp;
  await gateway.stop();
  await rm(files, { recursive: true });
});

const analyst = () => `Token ${gateway.credentialsOf('analyst')}`;

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
const json = (response: Response): Promise<any> => response.json();

async function ask(method: string, path: string, body?: FormData | object, authorization = analyst()) {
  const response = await fetch(`${gateway.url}/api/v2/${path}`, {
    method,
    headers: { authorization, prefer: 'wait=60' },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await json(response) };
}

function formOf(
  fields: Record<string, string>,
  report: string | null = fixtureNamed('Grype').content,
): FormData {
  const form = new FormData();
  // Some clients send the report first, others last.
  if (report !== null) form.append('file', new Blob([report]), 'report.json');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const TARGET = { scan_type: 'Anchore Grype', product_name: 'shop', engagement_name: 'nightly' };

describe('POST /api/v2/import-scan and reimport-scan', () => {
  it('stores a report: product is the asset, engagement the source', async () => {
    const { mapped } = fixtureNamed('Grype');
    const { status, body } = await ask(
      'POST',
      'import-scan/',
      formOf({ ...TARGET, active: 'true', verified: 'True' }),
    );
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        scan_type: 'Anchore Grype',
        minimum_severity: 'Info',
        close_old_findings: false,
        product_name: 'shop',
        product_type_name: 'Default',
        engagement_name: 'nightly',
        test_title: 'Anchore Grype',
        test: expect.any(Number),
        test_id: body.test,
        engagement_id: expect.any(Number),
        product_id: expect.any(Number),
        product_type_id: expect.any(Number),
        upload_id: expect.any(String),
        report: expect.objectContaining({ format: 'grype', mapped }),
      },
    });
    const asset = (await client.all('/api/v3/assets')).find(({ name }) => name === 'shop');
    expect(asset.sources).toEqual(['nightly']);
  });

  it('reimports by the id of the test, and closes findings that are not in the report', async () => {
    const { body: first } = await ask('POST', 'import-scan/', formOf({ ...TARGET, product_name: 'mall' }));
    const report = JSON.stringify({
      ...JSON.parse(fixtureNamed('Grype').content),
      matches: [],
      ignoredMatches: [],
    });
    const fields = { scan_type: 'Anchore Grype', test: String(first.test_id) };
    const kept = await ask(
      'POST',
      'reimport-scan/',
      formOf({ ...fields, close_old_findings: 'false' }, report),
    );
    expect(kept).toMatchObject({
      status: 201,
      body: { test: first.test, product_name: 'mall', close_old_findings: false },
    });
    const open = () =>
      client
        .all('/api/v3/findings?state=Failed')
        .then((all) => all.filter(({ assetName }) => assetName === 'mall').length);
    const before = await open();
    expect(before).toBeGreaterThan(0);
    expect(await ask('POST', 'reimport-scan/', formOf(fields, report))).toMatchObject({
      status: 201,
      body: { close_old_findings: true, report: { read: 0 } },
    });
    expect(await open()).toBe(0);
  });

  it('closes the findings of a product that a generic report no longer has', async () => {
    const dojo = { ...TARGET, scan_type: 'Generic Findings Import' };
    const onProduct = { title: 'Weak hash', severity: 'High', file_path: 'a.py' };
    const onHost = { title: 'Open port', severity: 'Low', endpoints: ['https://kiosk01.example.com'] };
    const headOnly =
      'Date,Title,CweId,Url,Severity,Description,Mitigation,Impact,References,Active,Verified\n';
    const states = async (product: string) =>
      (await client.all('/api/v3/findings?state=Failed,Retired'))
        .filter(({ assetName }) => assetName === product)
        .map(({ state }) => state);
    const reports: [string, string, string[]][] = [
      ['none', JSON.stringify({ findings: [] }), ['Retired']],
      ['no rows', headOnly, ['Retired']],
      ['unmapped', JSON.stringify({ findings: [{ ...onProduct, false_p: true }] }), ['Retired']],
      ['on a host', JSON.stringify({ findings: [onHost] }), ['Failed']],
    ];
    for (const [product, report, expected] of reports) {
      const fields = { ...dojo, product_name: product };
      const first = formOf(fields, JSON.stringify({ findings: [onProduct] }));
      expect(await ask('POST', 'reimport-scan/', first)).toMatchObject({ status: 201 });
      const again = await ask('POST', 'reimport-scan/', formOf(fields, report));
      expect(again).toMatchObject({ status: 201, body: { close_old_findings: true } });
      expect([product, await states(product)]).toEqual([product, expected]);
    }
    const fields = { ...dojo, product_name: 'hosts only' };
    expect(
      await ask('POST', 'reimport-scan/', formOf(fields, JSON.stringify({ findings: [onHost] }))),
    ).toMatchObject({ status: 201 });
    expect((await client.all('/api/v3/assets')).map(({ name }) => name)).not.toContain('hosts only');
  });

  it('keeps services of a product apart, and lists findings below minimum_severity', async () => {
    const { body } = await ask(
      'POST',
      'import-scan/',
      formOf({ ...TARGET, service: 'cart', minimum_severity: 'Critical' }),
    );
    expect(body).toMatchObject({
      minimum_severity: 'Critical',
      report: { listed: { 'below the minimum severity critical': expect.any(Number) } },
    });
    expect((await client.all('/api/v3/assets')).map(({ name }) => name)).toContain('shop/cart');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['an unknown scan type', { ...TARGET, scan_type: 'Nonsense' }, /^scan_type must be one of .*Trivy Scan/],
    ['no scan type', { product_name: 'a', engagement_name: 'b' }, /^scan_type is missing/],
    ['no target', { scan_type: 'Trivy Scan' }, /^product_name and engagement_name are missing/],
    [
      'a test that does not exist',
      { scan_type: 'Anchore Grype', test: '999999' },
      /^test 999999 does not exist/,
    ],
    ['no id', { scan_type: 'Anchore Grype', engagement: 'x' }, /^engagement must be an id/],
    ['inactive findings', { ...TARGET, active: 'False' }, /^active must be true/],
    ['Jira', { ...TARGET, push_to_jira: 'true' }, /^push_to_jira must be false/],
    [
      'product scope',
      { ...TARGET, close_old_findings_product_scope: 'True' },
      /^close_old_findings_product_scope/,
    ],
    ['do_not_reactivate', { ...TARGET, do_not_reactivate: 'true' }, /^do_not_reactivate must be false/],
    ['groups', { ...TARGET, group_by: 'component_name' }, /^group_by is not supported/],
    [
      'tags on findings',
      { ...TARGET, apply_tags_to_findings: 'true' },
      /^apply_tags_to_findings must be false/,
    ],
    ['an unknown field', { ...TARGET, nonsense: '1' }, /^nonsense is unknown/],
    ['a wrong date', { ...TARGET, scan_date: '31.01.2026' }, /^scan_date must be a date/],
    ['a wrong severity', { ...TARGET, minimum_severity: 'high' }, /^minimum_severity must be one of Info/],
    [
      'a flag that is none',
      { ...TARGET, close_old_findings: 'maybe' },
      /^close_old_findings must be true or/,
    ],
    [
      'a report of another tool',
      { ...TARGET, scan_type: 'Trivy Scan' },
      /^the report: is not a Trivy report/,
    ],
    [
      'closing with a format of the service',
      { ...TARGET, scan_type: 'grype', close_old_findings: 'true' },
      /^close_old_findings must be false for grype/,
    ],
  ])('refuses %s, and stores nothing', async (_, fields, message) => {
    const before = await gateway.logSize();
    const { status, body } = await ask('POST', 'import-scan/', formOf(fields));
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
    expect(await gateway.logSize()).toBe(before);
    expect(await readdir(files)).toEqual([]);
  });

  it('refuses a form without a report, one with two, and what is no form', async () => {
    expect(await ask('POST', 'import-scan/', formOf(TARGET, null))).toMatchObject({
      status: 400,
      body: { message: 'file is missing: imports without a report are not supported' },
    });
    const two = formOf(TARGET);
    two.append('file', new Blob(['{}']), 'b.json');
    expect((await ask('POST', 'import-scan/', two)).status).toBe(400);
    expect((await ask('POST', 'import-scan/', TARGET)).status).toBe(400);
    const large = formOf(TARGET, ' '.repeat(33 * 1_048_576));
    expect((await ask('POST', 'import-scan/', large)).status).toBe(413);
    expect(await readdir(files)).toEqual([]);
  });
});

it('a report that cannot be written is an internal error, without its cause', async () => {
  const boundary = 'x';
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const headers = { authorization: analyst(), 'content-type': `multipart/form-data; boundary=${boundary}` };
  const sending = request(`${gateway.url}/api/v2/import-scan/`, { method: 'POST', headers });
  const response = once(sending, 'response');
  sending.write(part('name="scan_type"', TARGET.scan_type));
  let folders: string[] = [];
  await until('the form is being received', async () => {
    folders = await readdir(files);
    return folders.length === 1;
  });
  await rm(join(files, folders[0]!), { recursive: true });
  sending.end(`${part('name="file"; filename="report.json"', '{}')}--${boundary}--\r\n`);
  const [answer] = (await response) as [IncomingMessage];
  expect({ status: answer.statusCode, body: JSON.parse(await text(answer)) }).toMatchObject({
    status: 500,
    body: { message: expect.stringMatching(/^internal error \(request [^ ]+\)$/) },
  });
  expect(gateway.lines.filter((line) => line.includes('ENOENT'))).toHaveLength(1);
});

describe('the token of DefectDojo’s API', () => {
  it('is user name and password, or an access token', async () => {
    const { status } = await ask(
      'GET',
      'test_types/',
      undefined,
      client.authorization.replace('Bearer', 'Token'),
    );
    expect(status).toBe(200);
    expect((await ask('GET', 'test_types/', undefined, client.authorization)).status).toBe(200);
  });

  it('is refused if it is wrong, missing, or of a viewer that uploads', async () => {
    for (const authorization of ['Token analyst:wrong-password', 'Token x', 'Token a.b.c', '']) {
      expect((await ask('GET', 'test_types/', undefined, authorization)).status).toBe(401);
      expect((await ask('POST', 'import-scan/', formOf(TARGET), authorization)).status).toBe(401);
    }
    const viewer = `Token ${gateway.credentialsOf('viewer')}`;
    expect((await ask('POST', 'import-scan/', formOf(TARGET), viewer)).status).toBe(403);
    expect((await ask('POST', 'products/', { name: 'x', prod_type: 1 }, viewer)).status).toBe(403);
  });

  it('is no scheme of other routes', async () => {
    const response = await fetch(`${gateway.url}/api/v3/assets`, { headers: { authorization: analyst() } });
    expect(response.status).toBe(401);
  });
});

it('names of products, engagements and tests have ids', async () => {
  const type = (await ask('POST', 'product_types/', { name: 'Web', description: 'x' })).body;
  const product = (await ask('POST', 'products/', { name: 'till', prod_type: type.id })).body;
  const engagement = (
    await ask('POST', 'engagements/', { name: 'ci', product: product.id, status: 'In Progress' })
  ).body;
  expect((await ask('POST', 'engagements/', { name: 'ci', product: product.id })).body.id).toBe(
    engagement.id,
  );
  expect(await ask('GET', `engagements/?name=ci&product=${product.id}`)).toEqual({
    status: 200,
    body: {
      count: 1,
      next: null,
      previous: null,
      results: [{ id: engagement.id, name: 'ci', product: product.id }],
    },
  });
  for (const filter of ['name_exact=till', `id=${product.id}`]) {
    const { body } = await ask('GET', `products/?${filter}`);
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([product.id]);
  }
  const imported = await ask('POST', 'import-scan/', formOf({ ...TARGET, product_name: 'till' }));
  expect(imported.body).toMatchObject({ product_id: product.id, product_type_name: 'Web' });
  expect((await ask('PATCH', `engagements/${engagement.id}/`, { build_id: '7' })).body.id).toBe(
    engagement.id,
  );
  const statuses = [
    await ask('POST', 'products/', { name: 'x', prod_type: 999_999 }),
    await ask('POST', 'products/', { name: 'x' }),
    await ask('POST', 'products/', { prod_type: type.id }),
    await ask('PATCH', 'engagements/999999/', {}),
    await ask('GET', 'findings/'),
    await ask('POST', 'endpoint_meta_import/', formOf(TARGET)),
    await ask('POST', 'endpoint_meta_import/', formOf(TARGET, ' '.repeat(1_048_577))),
    await ask('GET', 'products/?prod_type=x'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 400, 404, 404, 404, 404, 400]);
});

it('an import without room for its names stores nothing', async () => {
  expect(await ask('POST', 'import-scan/', formOf(TARGET))).toMatchObject({ status: 201 });
  const { pool } = gateway.database;
  await pool.query(
    `insert into import_contexts (id, kind, parent_id, name) values (100000, 'productType', 0, 'the last one')`,
  );
  try {
    const size = await gateway.logSize();
    const form = () => formOf({ ...TARGET, product_name: 'no room', engagement_name: 'for this' });
    const refused = {
      status: 409,
      body: { message: expect.stringMatching(/^there are 100000 names of products/) },
    };
    expect(await ask('POST', 'import-scan/', form())).toMatchObject(refused);
    expect(await ask('POST', 'reimport-scan/', form())).toMatchObject(refused);
    expect(await gateway.logSize()).toBe(size);
    expect((await client.all('/api/v3/assets')).map(({ name }) => name)).not.toContain('no room');
    // Known names need no room.
    expect(await ask('POST', 'import-scan/', formOf(TARGET))).toMatchObject({ status: 201 });
  } finally {
    await pool.query('delete from import_contexts where id = 100000');
  }
});

it('a report that is refused leaves no names', async () => {
  const { status } = await ask('POST', 'import-scan/', formOf({ ...TARGET, product_name: 'refused' }, '{}'));
  expect(status).toBe(400);
  expect((await ask('GET', 'products/?name=refused')).body).toMatchObject({ count: 0 });
});

it('names that are added at once have an id each', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `at once ${i % 6}`);
  const added = await Promise.all(names.map((name) => ask('POST', 'product_types/', { name })));
  expect(added.map(({ status }) => status)).toEqual(names.map(() => 201));
  expect(new Set(added.map(({ body }) => body.id)).size).toBe(6);
});

it('every scan type has the types of findings that its format gives', async () => {
  const formats = new Set(
    (await client.get('/api/v3/reports/formats')).items.map(({ name }: { name: string }) => name),
  );
  for (const { name, format, types } of SCAN_TYPES) {
    expect(`${name}: ${formats.has(format)}`).toBe(`${name}: true`);
    for (const { content } of FIXTURES.filter((fixture) => fixture.format === format)) {
      const body = new Blob([content]);
      const path = `/api/v3/reports?format=${format}&asset=types-${format}&source=${format}&dryRun=true`;
      const preview = await client.request('POST', path, body);
      const found = preview.body.findings
        .map(({ type }: { type: string | null }) => type)
        .filter((type: string | null) => type !== null);
      expect(types).toEqual(expect.arrayContaining([...new Set(found)]));
    }
  }
});
