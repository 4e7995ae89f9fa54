import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');

let now = BEGIN;
let gateway: StartedGateway;
let admin: ApiClient;
let viewer: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  await signIn();
});
afterAll(() => gateway.stop());

async function signIn(): Promise<void> {
  admin = await gateway.client('admin');
  viewer = await gateway.client('viewer');
}

const post = (path: string, body: object, client = admin) =>
  client.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
const replace = async (rules: object[]) => {
  const answer = await post('/api/v3/owner-rules', { rules });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body;
};
const user = (name: string) => ({ type: 'user', name });
const team = (name: string) => ({ type: 'team', name });
const tag = (key: string, value: string) => ({ key, value });
const rule = (owner: object, given: object = {}) => ({
  departments: [],
  locations: [],
  tags: [],
  owner,
  ...given,
});

const HOSTS: Record<string, object> = {
  pay1: { department: 'Finance', tags: { env: 'prod' } },
  pay2: { department: 'Finance', tags: { env: ['test', 'eu'] } },
  web1: { department: 'IT', location: 'Pune', tags: { env: 'prod' } },
  web2: { department: 'IT', location: 'Oslo' },
  lone: {},
};

/** A failed finding with a technique, and a passed one, on each host. */
async function upload(): Promise<void> {
  for (const name of ['Finance', 'IT']) await post('/api/v3/company/departments', { name });
  for (const name of ['Pune', 'Oslo']) await post('/api/v3/locations', { name });
  const entries = Object.entries(HOSTS).flatMap(([host, entityAttributes]) =>
    ['fail', 'pass'].map((complianceStatus) => [
      `${host}-${complianceStatus}.json`,
      {
        ...plainSignal(`${host} ${complianceStatus}`, host, {
          entity: { type: 'machine', name: host, entityAttributes },
          securityContext: {
            type: 'va',
            status: { complianceStatus },
            severity: { type: 'cvss', value: 7.5 },
            standardsMapping: [
              { name: 'cve', value: 'CVE-2021-44228' },
              { name: 'ttp', value: 'T1059' },
            ],
          },
        }),
      },
    ]),
  );
  const { body } = await admin.zip(await zipOf(Object.fromEntries(entries)));
  await admin.folded(body.uploadId);
}

const RULES = [
  rule(user('ana'), { departments: ['Finance'], tags: [tag('env', 'prod')] }),
  rule(team('payments'), { departments: ['Finance'] }),
  rule(team('platform'), { departments: ['IT', 'Ops'], locations: ['Pune'] }),
];

interface Item {
  id: string;
  name: string;
  assignee: { type: string; name: string } | null;
  assigneeBy: string | null;
}

const namesOf = (items: Item[]) => items.map(({ name }) => name).sort();

interface Technique {
  id: string;
  findings: { failed: number; qualified: number };
}

/** The findings that the matrix counts: all have the technique. */
async function inMatrix(query: string): Promise<number> {
  const { tactics } = await viewer.get(`/api/v3/attack-matrix?domain=enterprise&${query}`);
  const all: Technique[] = tactics.flatMap(({ techniques }: { techniques: Technique[] }) => techniques);
  const { failed, qualified } = all.find(({ id }) => id === 'T1059')!.findings;
  return failed + qualified;
}

/** The names that match, with the same number by every other reader. */
async function matching(query: string): Promise<string[]> {
  const items: Item[] = await viewer.all(`/api/v3/findings?${query}`);
  const counts = await viewer.get(`/api/v3/findings/counts?${query}`);
  expect([query, counts.total]).toEqual([query, items.length]);
  for (const sort of ['-severity', 'name', '-due']) {
    const sorted: Item[] = await viewer.all(`/api/v3/findings?${query}&sort=${sort}`);
    if (sort !== '-due') expect(namesOf(sorted)).toEqual(namesOf(items));
  }
  if (!query.includes('state=')) expect(await inMatrix(query)).toBe(items.length);
  return namesOf(items);
}

describe('owner rules', () => {
  beforeAll(upload);

  it('are none until an admin sets them, and are returned as they were set', async () => {
    const before = await admin.get('/api/v3/owner-rules');
    expect(before).toEqual({ rules: [], version: expect.any(Number) });
    const set = await replace([{ owner: team('payments'), departments: ['Finance'] }, ...RULES]);
    expect(set).toEqual({
      version: before.version + 1,
      rules: [rule(team('payments'), { departments: ['Finance'] }), ...RULES],
    });
    expect(await viewer.get('/api/v3/owner-rules')).toEqual(set);
    const [act] = await admin.all('/api/v3/audit?action=ownerRules.replaced');
    expect(act).toMatchObject({ target: 'settings', refused: null, user: 'admin' });
    expect(await replace([])).toMatchObject({ rules: [] });
  });

  it('are not part of the other settings', async () => {
    expect(await admin.get('/api/v3/settings')).not.toHaveProperty('ownerRules');
    const { status } = await admin.request('PATCH', '/api/v3/settings', '{"ownerRules": []}', {
      'content-type': 'application/json',
    });
    expect(status).toBe(400);
  });

  it('give assets an owner, and findings an assignee, unless a user has assigned them', async () => {
    await replace(RULES);
    const assets = await viewer.all('/api/v3/assets?sort=name');
    expect(assets.map(({ name, owner }: { name: string; owner: object }) => [name, owner])).toEqual([
      ['lone', null],
      ['pay1', { ...user('ana'), rule: 1 }],
      ['pay2', { ...team('payments'), rule: 2 }],
      ['web1', { ...team('platform'), rule: 3 }],
      ['web2', null],
    ]);
    const [, pay1] = assets;
    expect(await viewer.get(`/api/v3/assets/${pay1.id}`)).toMatchObject({ owner: pay1.owner });

    const [failed] = await viewer.all('/api/v3/findings?name=pay1 fail');
    expect(failed).toMatchObject({ assignee: user('ana'), assigneeBy: 'rule' });
    expect(await viewer.get(`/api/v3/findings/${failed.id}`)).toMatchObject({
      assignee: user('ana'),
      assigneeBy: 'rule',
    });
    const assigned = await post(`/api/v3/findings/${failed.id}/assign`, { assignee: user('ben') });
    expect(assigned.body).toMatchObject({ assignee: user('ben'), assigneeBy: 'user' });
    const [ofUser] = await viewer.all('/api/v3/findings?name=pay1 fail');
    expect(ofUser).toMatchObject({ assignee: user('ben'), assigneeBy: 'user' });
    const [lone] = await viewer.all('/api/v3/findings?name=lone fail');
    expect(lone).toMatchObject({ assignee: null, assigneeBy: null });
  });

  it.each([
    ['assignee=ana', ['pay1 pass']],
    ['assignee=ben', ['pay1 fail']],
    ['assignee=payments', ['pay2 fail', 'pay2 pass']],
    ['assignee=payments&state=Failed', ['pay2 fail']],
    ['assignee=platform&location=Pune', ['web1 fail', 'web1 pass']],
    ['assignee=platform&location=Oslo', []],
    ['assignee=nobody', []],
    ['assigned=true&state=Failed', ['pay1 fail', 'pay2 fail', 'web1 fail']],
    ['assigned=false', ['lone fail', 'lone pass', 'web2 fail', 'web2 pass']],
    ['assigned=false&assignee=ana', []],
    ['assigned=true&assignee=ana', ['pay1 pass']],
  ])('are part of the filter %s, of lists, counts and the matrix alike', async (query, expected) => {
    expect(await matching(query)).toEqual(expected);
  });

  it('lists of an assignee continue from page to page', async () => {
    for (const sort of ['', '&sort=-severity', '&sort=name', '&sort=-updatedAt']) {
      const found: Item[] = [];
      let cursor = '';
      do {
        const page = await viewer.get(`/api/v3/findings?assigned=true&limit=1${sort}${cursor}`);
        found.push(...page.items);
        cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
      } while (cursor);
      expect(namesOf(found)).toEqual([
        'pay1 fail',
        'pay1 pass',
        'pay2 fail',
        'pay2 pass',
        'web1 fail',
        'web1 pass',
      ]);
    }
  });

  it('are in exports, and select findings for an act', async () => {
    const exported = await fetch(`${viewer.url}/api/v3/findings/export?format=csv&assignee=payments`, {
      headers: { authorization: viewer.authorization },
    });
    const lines = (await exported.text()).trimEnd().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/,assigneeBy,epss$/);
    expect(lines.slice(1).every((line) => line.includes(',team,payments,') && line.endsWith(',rule,'))).toBe(
      true,
    );
    const assets = await fetch(`${viewer.url}/api/v3/assets/export?format=csv`, {
      headers: { authorization: viewer.authorization },
    });
    expect(await assets.text()).toMatch(/,user,ana\r?\n/);
    const dry = await post('/api/v3/findings/acts', {
      filter: { assignee: 'payments', state: ['Failed'] },
      tags: { add: ['mine'] },
      dryRun: true,
    });
    expect(dry.body).toMatchObject({ matching: 1, examples: [{ name: 'pay2 fail' }] });
    // A report is as of a second ago.
    now += 2_000;
    const report = await viewer.get('/api/v3/reports/technical?assignee=payments');
    expect(namesOf(report.findings)).toEqual(['pay2 fail', 'pay2 pass']);
    expect(report.findings[0].assignee).toEqual(team('payments'));
  });

  it('are those of the instant', async () => {
    const before = new Date(now).toISOString();
    const countsBefore = await viewer.get('/api/v3/findings/counts?assignee=payments');
    now += DAY_MS;
    await signIn();
    await replace([rule(team('payments'), { departments: ['IT'] })]);
    expect(await matching('assignee=payments')).toEqual(['web1 fail', 'web1 pass', 'web2 fail', 'web2 pass']);
    const past = `asOf=${before}`;
    expect(await matching(`assignee=payments&${past}`)).toEqual(['pay2 fail', 'pay2 pass']);
    expect(await viewer.get(`/api/v3/findings/counts?assignee=payments&${past}`)).toEqual(countsBefore);
    expect(await matching(`assigned=false&${past}`)).toEqual([
      'lone fail',
      'lone pass',
      'web2 fail',
      'web2 pass',
    ]);
    const [web2] = await viewer.all('/api/v3/assets?name=web2');
    expect(web2.owner).toEqual({ ...team('payments'), rule: 1 });
    expect((await viewer.get(`/api/v3/assets/${web2.id}?${past}`)).owner).toBeNull();
    const [pay2] = await viewer.all(`/api/v3/findings?name=pay2 fail&${past}`);
    expect(pay2).toMatchObject({ assignee: team('payments'), assigneeBy: 'rule' });
    expect(await viewer.get(`/api/v3/findings/${pay2.id}`)).toMatchObject({ assignee: null });
    const begin = new Date(BEGIN - DAY_MS).toISOString();
    expect(await viewer.all(`/api/v3/findings?assignee=payments&asOf=${begin}`)).toEqual([]);
  });

  it('follow the asset: another department gives another owner', async () => {
    await replace(RULES);
    const moved = {
      ...plainSignal('web2 fail', 'web2'),
      entity: { type: 'machine', name: 'web2', entityAttributes: { department: 'Finance' } },
    };
    const { body } = await admin.zip(await zipOf({ 'a.json': moved }));
    await admin.folded(body.uploadId);
    const [web2] = await viewer.all('/api/v3/findings?name=web2 fail');
    expect(web2).toMatchObject({ assignee: team('payments'), assigneeBy: 'rule' });
  });

  it('are refused if the settings have changed since they were read', async () => {
    const { version } = await admin.get('/api/v3/owner-rules');
    const stale = await post('/api/v3/owner-rules', { rules: [], version: version - 1 });
    expect(stale.status).toBe(409);
    expect((await post('/api/v3/owner-rules', { rules: RULES, version })).body.version).toBe(version + 1);
  });

  it('are changed and previewed only with settings:write', async () => {
    const analyst = await gateway.client('analyst');
    expect((await post('/api/v3/owner-rules', { rules: [] }, analyst)).status).toBe(403);
    expect((await post('/api/v3/owner-rules/preview', { rules: [] }, analyst)).status).toBe(403);
  });
});

describe('the preview of owner rules', () => {
  it('counts assets and open findings by rule and by owner, and what changes', async () => {
    await replace(RULES);
    const { body } = await post('/api/v3/owner-rules/preview', {
      rules: [
        rule(team('platform'), { departments: ['IT'] }),
        rule(user('ana'), { tags: [tag('env', 'test')] }),
      ],
    });
    expect(body).toEqual({
      rules: [
        { assets: 1, findings: 1 },
        { assets: 1, findings: 1 },
      ],
      unowned: { assets: 3, findings: 2 },
      // pay1 and web2 lose their owner, pay2 gets another one.
      changed: { assets: 3, findings: 2 },
      owners: [
        {
          owner: team('payments'),
          before: { assets: 2, findings: 2 },
          after: { assets: 0, findings: 0 },
        },
        {
          owner: team('platform'),
          before: { assets: 1, findings: 1 },
          after: { assets: 1, findings: 1 },
        },
        {
          owner: user('ana'),
          before: { assets: 1, findings: 0 },
          after: { assets: 1, findings: 1 },
        },
      ],
    });
    expect((await admin.get('/api/v3/owner-rules')).rules).toEqual(RULES);
  });

  it('of the rules in force changes nothing', async () => {
    const { body } = await post('/api/v3/owner-rules/preview', { rules: RULES });
    expect(body.changed).toEqual({ assets: 0, findings: 0 });
    for (const { before, after } of body.owners) expect(after).toEqual(before);
  });
});

describe('rules that are not valid', () => {
  const many = <T>(n: number, one: (i: number) => T) => Array.from({ length: n }, (_, i) => one(i));
  it.each([
    [{}, /; rules must be an array/],
    [{ rules: {} }, /; rules must be an array/],
    [{ rules: many(101, () => rule(team('a'))) }, /^rules must contain no more than 100/],
    [{ rules: [{}] }, /^rules\.0\.owner must be an object/],
    [
      { rules: [rule(team('a')), rule({ type: 'robot', name: 'a' })] },
      /^rules\.1\.owner\.type must be one of/,
    ],
    [{ rules: [rule(user(' '))] }, /^rules\.0\.owner\.name must not be empty/],
    [{ rules: [rule(user('x'.repeat(257)))] }, /^rules\.0\.owner\.name must be/],
    [{ rules: [rule(team('a'), { departments: 'IT' })] }, /^rules\.0\.departments must be an array/],
    [
      { rules: [rule(team('a'), { departments: ['IT', 'IT'] })] },
      /^rules\.0\.departments must contain each name once$/,
    ],
    [{ rules: [rule(team('a'), { locations: [''] })] }, /rules\.0\.locations must be/],
    [{ rules: [rule(team('a'), { locations: many(21, String) })] }, /^rules\.0\.locations must contain/],
    [{ rules: [rule(team('a'), { tags: [{ key: 'env' }] })] }, /^rules\.0\.tags\.0\.value must be/],
    [{ rules: [rule(team('a'), { tags: many(11, () => tag('a', 'b')) })] }, /^rules\.0\.tags must contain/],
    [{ rules: [rule(team('a'), { tags: null })] }, /; rules\.0\.tags must be an array/],
    [{ rules: [rule(team('a'), { colour: 'red' })] }, /rules\.0\.colour is unknown/],
    [{ rules: [], version: -1 }, /^version must/],
  ])('are a 400 that names the field: %#', async (body, message) => {
    for (const path of ['/api/v3/owner-rules', '/api/v3/owner-rules/preview']) {
      if ('version' in body && path.endsWith('preview')) continue;
      const answer = await post(path, body);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });
});
