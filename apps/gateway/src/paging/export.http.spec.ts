import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import { plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { FindingsRepository } from '../findings/findings.repository.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
/** More than a page of an export. */
const FINDINGS = 520;
const FORMULAS = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(1)'];
/** By the index of the finding. */
const NAMES = [...FORMULAS, 'a {0} {{b}} [c](https://d)'];

let gateway: StartedGateway;
let token: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => BEGIN });
  const client = await gateway.client('admin');
  const entries: Record<string, unknown> = {};
  for (let i = 0; i < FINDINGS; i += 1) {
    const status = { complianceStatus: ['fail', 'pass', 'unknown'][i % 3] };
    const name = NAMES[i] ?? (i === 10 ? 'with "quotes", commas; and signs' : `Finding ${i}`);
    entries[`${i}.json`] = plainSignal(name, `host${i % 4}`, {
      source: { name: '@scanner' },
      securityContext: {
        type: 'va',
        status,
        severity: { value: (i % 101) / 10, ...(i === 98 && { level: 'low' }) },
      },
    });
  }
  const { body } = await client.zip(await zipOf(entries));
  await client.folded(body.uploadId);
  const authorization = `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}`;
  const answer = await fetch(`${gateway.url}/api/v3/auth`, { method: 'POST', headers: { authorization } });
  token = ((await answer.json()) as { accessToken: string }).accessToken;
});
afterAll(() => gateway.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}/api/v3/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
const lines = async (path: string) =>
  (await (await get(path)).text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const sarif = async (path: string) =>
  (await (await get(path)).json()) as { runs: { results: { ruleId: string }[] }[] };
const csv = async (path: string): Promise<Record<string, string>[]> =>
  parse(await (await get(path)).text(), { columns: true, record_delimiter: '\r\n' });

describe('an export of findings', () => {
  it.each([
    '',
    '&sort=-severity',
    '&state=Qualified,Failed&sort=name',
    '&q=finding 1',
    '&asOf=2030-01-01T00:00:00Z',
  ])('has every item of the list in its order:%s', async (query) => {
    const client = await gateway.client('admin');
    const listed = await client.all(`/api/v3/findings?${query.slice(1)}`);
    const exported = await lines(`findings/export?format=jsonl${query}`);
    expect(exported).toEqual(listed);
    expect(exported.length).toBeGreaterThan(query.includes('q=') ? 50 : 300);
  });

  it('is a file of its kind', async () => {
    const answer = await get('findings/export?format=csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="findings-2026-03-02T08-00-00-000Z.csv"',
    );
    await answer.text();
    const head = await get('findings/export?format=sarif', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'application/sarif+json; charset=utf-8',
    ]);
    expect((await get('findings/export?format=x', { method: 'HEAD' })).status).toBe(400);
  });

  it('as CSV keeps every text, without formulas', async () => {
    const rows = await csv('findings/export?format=csv');
    expect(rows).toHaveLength(FINDINGS);
    const names = rows.map(({ name }) => name);
    for (const formula of FORMULAS) expect(names).toContain(`'${formula}`);
    expect(names).toContain('with "quotes", commas; and signs');
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(["'@scanner"]));
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+@\t\r-]/);
  });

  it('as CSV has the level that counts have, whatever level the source has given', async () => {
    const rows = await csv('findings/export?format=csv');
    const levels: Record<string, number> = {};
    for (const { severityLevel } of rows) levels[severityLevel!] = (levels[severityLevel!] ?? 0) + 1;
    const client = await gateway.client('admin');
    expect(levels).toEqual((await client.get('/api/v3/findings/counts')).severityLevel);
  });

  it('as SARIF is valid by the schema of SARIF 2.1.0', async () => {
    const log = await sarif('findings/export?format=sarif');
    const path = createRequire(import.meta.url).resolve(
      '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
    );
    const { $schema, id, ...schema } = JSON.parse(await readFile(path, 'utf8'));
    expect($schema).toMatch(/draft-04/);
    const validate = addFormats.default(new Ajv({ strict: false, unicodeRegExp: false })).compile(schema);
    expect([validate(log), validate.errors]).toEqual([true, null]);
    expect(validate({ ...log, runs: [{ results: [] }] })).toBe(false);
    const { results } = log.runs[0]!;
    expect(results).toHaveLength(FINDINGS);
    expect(results.find(({ ruleId }) => ruleId === 'va/Finding 90')).toMatchObject({
      kind: 'fail',
      level: 'error',
      locations: [{ logicalLocations: [{ name: expect.stringMatching(/host2/i) }] }],
      fingerprints: { 'posture/findingId/v1': expect.stringMatching(/^[0-9a-f-]{36}$/) },
      properties: { 'security-severity': '9.0', state: 'Failed' },
    });
    expect(results.find(({ ruleId }) => ruleId === 'va/Finding 91')).toMatchObject({
      kind: 'pass',
      level: 'none',
    });
  });

  it('as SARIF escapes what SARIF marks placeholders and links by', async () => {
    const { results } = (await sarif('findings/export?format=sarif&q=b')).runs[0]!;
    expect(results).toMatchObject([
      {
        ruleId: 'va/a {0} {{b}} [c](https://d)',
        message: { text: 'a {{0}} {{{{b}}}} [c] (https://d) on host0' },
      },
    ]);
  });

  it('without items is an empty file of its format', async () => {
    expect(await lines('findings/export?format=jsonl&q=nothing')).toEqual([]);
    expect(await csv('findings/export?format=csv&q=nothing')).toEqual([]);
    expect((await sarif('findings/export?format=sarif&q=nothing')).runs[0]!.results).toEqual([]);
  });

  it.each(['csv', 'jsonl', 'sarif'])(
    'as %s breaks if it fails on the way, and is never short',
    async (format) => {
      const list = FindingsRepository.prototype.list;
      const calls = jest.spyOn(FindingsRepository.prototype, 'list');
      calls.mockImplementationOnce(function (this: FindingsRepository, ...given) {
        return list.apply(this, given);
      });
      calls.mockRejectedValueOnce(new Error('the database is gone'));
      const answer = await get(`findings/export?format=${format}`);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      expect(calls).toHaveBeenCalledTimes(2);
    },
  );

  it('is the only one of a credential until it ends or its client hangs up', async () => {
    const list = FindingsRepository.prototype.list;
    // Every page is the first one: an export without end.
    const endless = jest.spyOn(FindingsRepository.prototype, 'list');
    endless.mockImplementation(function (this: FindingsRepository, filter, rows, now, order, limit) {
      return list.call(this, filter, rows, now, { ...order, after: null }, limit);
    });
    const client = new AbortController();
    const running = await get('findings/export?format=csv', { signal: client.signal });
    expect(running.status).toBe(200);
    const refused = await get('assets/export?format=csv');
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { message: string }).message).toMatch(/^\d+$/);
    client.abort();
    await until('the place is free', async () => (await get('assets/export?format=csv')).status === 200);
    const asked = endless.mock.calls.length;
    await get('assets/export?format=jsonl').then((answer) => answer.text());
    expect(endless.mock.calls.length).toBe(asked);
  });
});

describe('an export of assets', () => {
  it('has every item of the list', async () => {
    const client = await gateway.client('admin');
    const listed = await client.all('/api/v3/assets?sort=-name');
    expect(await lines('assets/export?format=jsonl&sort=-name')).toEqual(listed);
    const rows = await csv('assets/export?format=csv&sort=-name');
    expect(rows.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(rows.map(({ failed }) => Number(failed))).toEqual(listed.map(({ findings }) => findings.failed));
    expect(rows.map(({ isEdrManaged }) => isEdrManaged)).toEqual(listed.map(() => 'false'));
    expect(await csv('assets/export?format=csv&customField.team=red')).toEqual([]);
  });
});
