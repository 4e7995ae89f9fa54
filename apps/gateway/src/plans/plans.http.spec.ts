import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS_MAX } from '#libs/domain';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const SHARED = 'CVE-2024-20001';
const SALES = { department: 'Sales' };

let site: ScoredSite;
let kernel: string;
let other: string;
let cipher: string;

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  await site.post('/api/v3/company/departments', { name: 'Sales' });
  await site.addSignals(
    { name: 'kernel', host: 'web01', cve: SHARED, attributes: SALES },
    { name: 'kernel too', host: 'web02', cve: SHARED },
    { name: 'cipher', host: 'web01', cve: 'CVE-2024-20002', attributes: SALES },
    { name: 'fine', host: 'web01', cve: SHARED, status: 'pass', attributes: SALES },
  );
  kernel = await site.findingId('kernel');
  other = await site.findingId('kernel too');
  cipher = await site.findingId('cipher');
});
afterAll(() => site.stop());

const send = (method: string, path: string, body?: object) =>
  site.client.request(method, `/api/v3/plans${path}`, JSON.stringify(body), {
    'content-type': 'application/json',
  });
const get = (path: string) => site.client.get(`/api/v3/plans${path}`);
let names = 0;
async function planned(given: object = { add: [kernel] }) {
  site.pass();
  names += 1;
  const { status, body } = await send('POST', '', { name: `plan ${names}`, ...given });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}
const change = async (id: string, given: object) => {
  site.pass();
  return send('PATCH', `/${id}`, given);
};
const memberNames = async (id: string, more = '') =>
  (await site.client.all(`/api/v3/findings?plan=${id}${more}`))
    .map(({ name }: { name: string }) => name)
    .sort();

describe('a remediation plan', () => {
  it('contains the findings that were named, and the failed ones that a query matched', async () => {
    const plan = await planned({
      add: [cipher, cipher],
      query: `cve=${SHARED}&sort=-severity`,
      description: ' before the **audit** ',
      owner: { type: 'user', name: 'ana' },
      due: '2026-03-31',
    });
    expect(plan).toMatchObject({
      state: 'planned',
      description: 'before the **audit**',
      owner: { type: 'user', name: 'ana' },
      due: '2026-03-31T23:59:59.999Z',
      overdue: false,
      findings: { open: 3, fixed: 0, accepted: 0 },
      query: `cve=${SHARED}&sort=-severity`,
      promise: null,
      version: 1,
      startedAt: null,
      finishedAt: null,
    });
    expect(await get(`/${plan.id}`)).toEqual(plan);
    expect((await get('?limit=1')).items).toEqual([plan]);
    expect(await memberNames(plan.id)).toEqual(['cipher', 'kernel', 'kernel too']);
    expect(await memberNames(NOBODY)).toEqual([]);
    const { total } = await site.client.get(`/api/v3/findings/counts?plan=${plan.id}`);
    expect(total).toBe(3);
  });

  it('is changed by version, and as of an earlier time it is as it was', async () => {
    const { id, version, name } = await planned({ add: [kernel], owner: { type: 'team', name: 'blue' } });
    const before = new Date(site.pass()).toISOString();
    const { status, body } = await change(id, {
      version,
      name: `${name} again`,
      owner: null,
      add: [other],
      remove: [kernel],
      due: '2026-01-01',
    });
    expect([status, body]).toMatchObject([
      200,
      { name: `${name} again`, owner: null, version: 2, overdue: true, findings: { open: 1 } },
    ]);
    expect(await memberNames(id)).toEqual(['kernel too']);
    expect(await memberNames(id, `&asOf=${before}`)).toEqual(['kernel']);
    expect(await get(`/${id}?asOf=${before}`)).toMatchObject({
      name,
      owner: { type: 'team', name: 'blue' },
      version: 1,
      due: null,
    });
    // Also a version that is not read yet: the change would be made of the earlier content.
    for (const other of [version, version + 2]) {
      const stale = await change(id, { version: other, name: 'late' });
      expect([stale.status, stale.body.message]).toEqual([409, expect.stringMatching(/changed since/)]);
    }
    expect((await send('DELETE', `/${id}?version=1`)).status).toBe(409);
    site.pass();
    expect(await send('DELETE', `/${id}?version=2`)).toMatchObject({ status: 200, body: { id } });
    expect((await send('GET', `/${id}`)).status).toBe(404);
    expect(await memberNames(id)).toEqual([]);
    expect((await get(`/${id}?asOf=${before}`)).id).toBe(id);
    expect((await get(`?asOf=${before}`)).items.map((one: { id: string }) => one.id)).toContain(id);
    const acts = await site.client.all(`/api/v3/audit?target=${id}`);
    expect(acts.map(({ action, refused }) => [action, refused])).toEqual([
      ['plan.removed', null],
      ['plan.removed', 'stale'],
      ['plan.changed', null],
      ['plan.added', null],
    ]);
  });

  it('is changed and removed without a version at the same time as by others', async () => {
    const { id } = await planned({ add: [kernel] });
    site.pass();
    const given = [{ add: [other] }, { add: [cipher] }, { description: 'audit' }, { due: '2026-04-01' }];
    const changes = await Promise.all(given.map((one) => send('PATCH', `/${id}`, one)));
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await memberNames(id)).toEqual(['cipher', 'kernel', 'kernel too']);
    expect(await get(`/${id}`)).toMatchObject({ version: 5, description: 'audit', overdue: false });
    const [removed] = await Promise.all([
      send('DELETE', `/${id}`),
      ...given.map((one) => send('PATCH', `/${id}`, one)),
    ]);
    expect(removed).toMatchObject({ status: 200, body: { id } });
    expect((await send('GET', `/${id}`)).status).toBe(404);
  });

  it('stores the score that it promises when it begins, and is compared with it', async () => {
    const { id } = await planned({ query: `cve=${SHARED}` });
    expect((await send('GET', `/${id}/outcome`)).status).toBe(409);
    const score = (await site.client.get('/api/v3/scores/organization')).score;
    const { body: begun } = await change(id, { state: 'active' });
    const { promise } = begun;
    expect(begun).toMatchObject({ state: 'active', startedAt: new Date(site.now).toISOString() });
    expect(promise).toMatchObject({ model: 'posture-1', score });
    expect(promise.scoreAfter).toBeLessThan(score);
    expect(await get(`/${id}/outcome`)).toMatchObject({ promise, difference: 0, byPlan: 0 });

    site.pass(DAY_MS);
    await site.signInAgain();
    await site.addSignals({ name: 'kernel', host: 'web01', cve: SHARED, status: 'pass', attributes: SALES });
    await site.accept(other);
    await site.addSignals({ name: 'new one', host: 'db01', cve: 'CVE-2024-20009' });
    const outcome = await get(`/${id}/outcome`);
    expect(outcome).toMatchObject({ promise, from: { score }, model: 'posture-1' });
    expect(outcome.byPlan).toBeLessThan(0);
    expect(outcome.to.score).toBe((await site.client.get('/api/v3/scores/organization')).score);
    // The new finding is a cause of the difference too, and not of the plan.
    expect(outcome.byPlan).not.toBeCloseTo(outcome.difference, 2);
    const plan = await get(`/${id}`);
    expect(plan.findings).toEqual({ open: 0, fixed: 1, accepted: 1 });

    const { points, keptFrom } = await get(`/${id}/burn-down`);
    expect(keptFrom).toBeNull();
    expect(points.map(({ at: _, ...counts }: { at: string }) => counts)).toEqual([
      { open: 2, fixed: 0, accepted: 0 },
      { open: 2, fixed: 0, accepted: 0 },
      { open: 0, fixed: 1, accepted: 1 },
    ]);
    expect(points[1].at).toBe('2026-03-03T00:00:00.000Z');
    expect(points[0].at).toBe(plan.createdAt);

    const { body: done } = await change(id, { state: 'done' });
    expect(done).toMatchObject({ state: 'done', finishedAt: new Date(site.now).toISOString(), promise });
    const ended = await get(`/${id}/outcome`);
    await site.addSignals({ name: 'newer one', host: 'db02', cve: 'CVE-2024-20010' });
    expect(await get(`/${id}/outcome`)).toEqual(ended);
    expect((await get(`/${id}/burn-down`)).points).toHaveLength(3);
    expect(await change(id, { state: 'active' })).toMatchObject({
      body: { state: 'active', finishedAt: null, startedAt: plan.startedAt, promise },
    });
  });

  it('has a burn-down of one point by a clock that is behind the one that added it', async () => {
    const { id, createdAt, findings } = await planned();
    site.pass(-20_000);
    const burnDown = await get(`/${id}/burn-down`);
    site.pass(20_000);
    expect(burnDown).toEqual({ points: [{ at: createdAt, ...findings }], keptFrom: null });
  });

  it('has an outcome after many changes of the model, explained from the latest ones on', async () => {
    const { id } = await planned();
    const { body: begun } = await change(id, { state: 'active' });
    const explained = await get(`/${id}/outcome`);
    expect(explained.byPlanFrom).toBe(begun.startedAt);
    for (let i = 0; i < 12; i += 1) {
      site.pass();
      const scoringModel = i % 2 === 0 ? 'posture-2' : 'posture-1';
      await site.client.request('PATCH', '/api/v3/settings', JSON.stringify({ scoringModel }));
    }
    await site.score();
    await site.addSignals({ name: 'one more', host: 'db03', cve: 'CVE-2024-20011', severity: 3 });
    const outcome = await get(`/${id}/outcome`);
    const { score } = await site.client.get('/api/v3/scores/organization');
    expect(outcome).toMatchObject({
      from: { at: begun.startedAt, score: begun.promise.score },
      to: { score },
      model: 'posture-1',
      byPlan: 0,
    });
    expect(outcome.difference).not.toBe(0);
    expect(outcome.difference).toBeCloseTo(score - begun.promise.score, 10);
    expect(Date.parse(outcome.byPlanFrom)).toBeGreaterThan(Date.parse(begun.startedAt));
  });

  it.each([
    ['planned', 'done', /planned can become active or cancelled, not done/],
    ['cancelled', 'done', /cancelled can become active, not done/],
    ['active', 'planned', /active can become done or cancelled, not planned/],
  ])('that is %s does not become %s', async (from, to, message) => {
    const { id } = await planned();
    if (from !== 'planned') expect((await change(id, { state: from })).status).toBe(200);
    const { status, body } = await change(id, { state: to });
    expect([status, body.message]).toEqual([409, expect.stringMatching(message)]);
  });

  it('has another name than the others', async () => {
    const { name } = await planned();
    const { status, body } = await send('POST', '', { name: name.toUpperCase(), add: [kernel] });
    expect([status, body.message]).toEqual([409, expect.stringMatching(/already in use/)]);
  });

  it.each([
    ['POST', '', { name: 'x' }, 400, /from 1 to 1000 findings \(got none\)/],
    ['POST', '', { name: ' ', add: [] }, 400, /^name must not be empty/],
    ['POST', '', { name: 'x', add: ['no'] }, 400, /^each value in add/],
    ['POST', '', { name: 'x', add: [NOBODY] }, 404, /no finding has the id/],
    ['POST', '', { name: 'x', query: 'severityMin=11' }, 400, /^query\.severityMin/],
    ['POST', '', { name: 'x', query: 'limit=1' }, 400, /limit/],
    ['POST', '', { name: 'x', query: 'cve=CVE-1999-0001' }, 400, /got none/],
    ['POST', '', { name: 'x', owner: { type: 'user' } }, 400, /^owner\.name/],
    ['POST', '', { name: 'x', due: 'soon' }, 400, /^due must be/],
    ['PATCH', `/${NOBODY}`, { name: 'x' }, 404, /no plan/],
    ['PATCH', `/${NOBODY}`, { version: 1 }, 400, /must contain name/],
    ['PATCH', `/${NOBODY}`, { state: 'begun' }, 400, /^state must be one of planned/],
    ['DELETE', `/${NOBODY}`, undefined, 404, /no plan/],
    ['GET', `/${NOBODY}/burn-down`, undefined, 404, /no plan/],
    ['GET', '?state=begun', undefined, 400, /^state must be/],
  ])('refuses %s %s %j with %i', async (method, path, body, status, message) => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });

  it('loses its last finding only with itself', async () => {
    const { id } = await planned();
    const { status, body } = await change(id, { remove: [kernel] });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/got none/)]);
  });
});

describe('a limited caller', () => {
  it('sees plans by its findings, and changes those that it sees wholly', async () => {
    const whole = await planned({ add: [kernel, other] });
    const own = await planned({
      add: [kernel, cipher],
      query: `cve=${SHARED}&department=Sales&state=Qualified`,
    });
    const hidden = await planned({ add: [other] });
    await change(whole.id, { state: 'active' });
    const limited = await limitedTo(SALES.department);
    const seen = await limited.all('/api/v3/plans');
    const ids = seen.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([whole.id, own.id]));
    expect(ids).not.toContain(hidden.id);
    const shown = await limited.get(`/api/v3/plans/${whole.id}`);
    expect(shown.findings.open + shown.findings.fixed).toBe(1);
    expect([shown.promise, shown.query, shown.changeable]).toEqual([null, null, false]);
    expect((await limited.get(`/api/v3/plans/${own.id}`)).changeable).toBe(true);
    expect((await get(`/${whole.id}`)).changeable).toBe(true);
    const ask = (method: string, path: string, body?: object) =>
      limited.request(method, `/api/v3/plans/${path}`, JSON.stringify(body), {
        'content-type': 'application/json',
      });
    const { points } = (await ask('GET', `${whole.id}/burn-down`)).body;
    expect(points.at(-1).open + points.at(-1).fixed).toBe(1);
    expect((await ask('GET', hidden.id)).status).toBe(404);
    expect((await ask('GET', `${hidden.id}/burn-down`)).status).toBe(404);
    expect((await ask('GET', `${whole.id}/outcome`)).status).toBe(403);
    expect((await ask('PATCH', hidden.id, { name: 'mine' })).status).toBe(404);
    expect((await ask('PATCH', whole.id, { name: 'mine' })).status).toBe(403);
    expect((await ask('DELETE', whole.id)).status).toBe(403);
    expect((await ask('PATCH', own.id, { add: [other] })).status).toBe(404);
    site.pass();
    expect((await ask('PATCH', own.id, { due: '2026-05-01' })).status).toBe(200);
    site.pass();
    expect((await ask('DELETE', own.id)).status).toBe(200);
  });
});

it(`plans are ${PLANS_MAX} at most, in pages`, async () => {
  const all = await site.client.all('/api/v3/plans');
  const paged: { id: string }[] = [];
  let cursor = '';
  do {
    const page = await get(`?limit=3${cursor}`);
    paged.push(...page.items);
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(paged).toEqual(all);
  const active = (await get('?state=active,done')).items;
  expect(active.length).toBeGreaterThan(0);
  expect(active.every(({ state }: { state: string }) => state === 'active' || state === 'done')).toBe(true);
});

async function limitedTo(department: string) {
  const scopes = ['findings:read', 'findings:triage', 'scores:read'];
  const { body } = await site.post('/api/v3/tokens', { name: 'limited', scopes, departments: [department] });
  return ApiClient.withToken(site.gateway.url, body.token);
}
