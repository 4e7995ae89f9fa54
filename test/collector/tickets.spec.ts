import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { request as octokit } from '@octokit/request';
import { IncomingWebhook } from '@slack/webhook';
import { Version3Client } from 'jira.js';
import { NIL } from 'uuid';
import { CursorSeal } from '#libs/changes';
import { webhookAttempts } from '#libs/telemetry';
import { findingsWithoutTicket } from '../../libs/webhooks/src/tickets/findings-to-keep.ts';
import type { ScoredSignal, ScoredSite } from '../fixtures/scores/scored-site.ts';
import { DeliveringSite, PREVIOUS_SECRET_KEY } from '../fixtures/security/delivering-site.ts';
import { GithubServer } from '../fixtures/tickets/github-server.ts';
import { JiraServer } from '../fixtures/tickets/jira-server.ts';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { SlackServer } from '../fixtures/tickets/slack-server.ts';
import { TeamsServer } from '../fixtures/tickets/teams-server.ts';
import { until } from '../support/until.ts';

const PATH = '/api/v3/webhooks';

let delivering: DeliveringSite;
let site: ScoredSite;
let github: GithubServer;
let jira: JiraServer;
let slack: SlackServer;
let teams: TeamsServer;

beforeAll(async () => {
  delivering = await DeliveringSite.start(Date.now());
  site = delivering.site;
  github = await GithubServer.start();
  jira = await JiraServer.start();
  slack = await SlackServer.start();
  teams = await TeamsServer.start();
});
afterAll(async () => {
  for (const server of [github, jira, slack, teams]) server.close();
  await delivering.stop();
});
afterEach(async () => {
  await site.gateway.database.pool.query('delete from webhooks');
  for (const server of [github, jira, slack, teams]) {
    server.fault = () => null;
    server.requests.length = 0;
  }
  [github.isRenamed, github.transferred] = [false, null];
  [github.issues.length, jira.issues.length, slack.messages.length, teams.cards.length] = [0, 0, 0, 0];
  jira.unsearchable.clear();
});

async function send(method: string, path: string, given?: object): Promise<any> {
  const { status, body } = await site.client.request(method, path, given && JSON.stringify(given));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const add = (given: object) => send('POST', PATH, given);
const addGithub = (given: object = {}) =>
  add({ kind: 'github', url: github.url, secret: github.token, ...given });
const addJira = (options: object = {}) =>
  add({
    ...{ kind: 'jira', url: jira.origin, secret: jira.token },
    options: { user: jira.user, project: 'RISK', issueType: 'Task', ...options },
  });
const attemptsThatWait = async (): Promise<number> =>
  (await webhookAttempts.get()).values.find(({ labels }) => labels.outcome === 'waiting')?.value ?? 0;
const caughtUp = (id: string) =>
  until('everything is delivered', async () => {
    const { rows } = await site.gateway.database.pool.query(
      `select from webhook_deliveries where webhook_id = $1 and status = 'pending'`,
      [id],
    );
    return rows.length === 0 && (await site.client.get(`${PATH}/${id}`)).behind === 0;
  });
const deliveriesOf = async (id: string) => (await site.client.get(`${PATH}/${id}/deliveries`)).items;
const fold = (...signals: ScoredSignal[]) => site.fold(...signals);
const tickets = async (name: string) =>
  (await site.client.get(`/api/v3/findings/${await site.findingId(name)}`)).tickets;

describe('tickets in GitHub', () => {
  it('are opened for findings that match, linked, closed when they are fixed, and opened again', async () => {
    const hook = await addGithub({ filter: { severityMin: 7 }, options: { labels: ['risk'] } });
    expect(hook).toMatchObject({ kind: 'github', url: github.url, secret: null, topics: ['findings'] });
    const signal = { name: 'old kernel', host: 'web01' };
    await fold(
      signal,
      { name: 'small', host: 'web01', severity: 3 },
      { name: 'fine', host: 'web01', status: 'pass' },
    );
    await caughtUp(hook.id);
    expect(github.issues).toMatchObject([{ title: 'old kernel on web01', state: 'open', labels: ['risk'] }]);
    const link = { url: 'https://github.example/acme/risks/issues/1', label: 'acme/risks#1' };
    await until('the link', async () => (await tickets('old kernel')).length === 1);
    expect(await tickets('old kernel')).toEqual([link]);
    await fold({ ...signal, status: 'pass' });
    await caughtUp(hook.id);
    expect(github.issues).toMatchObject([{ state: 'closed', state_reason: 'completed' }]);
    await fold(signal);
    await caughtUp(hook.id);
    expect(github.issues).toMatchObject([{ state: 'open' }]);
    await site.accept(await site.findingId('old kernel'));
    await caughtUp(hook.id);
    expect(github.issues).toMatchObject([{ state: 'closed', state_reason: 'not_planned' }]);
    expect(await tickets('old kernel')).toEqual([link]);
    const [act] = (await site.client.get('/api/v3/audit?action=finding.ticketsChanged')).items;
    expect(act).toMatchObject({ user: null, detail: { attach: [link], detach: [] } });
    expect((await deliveriesOf(hook.id)).map(({ answer }: any) => answer.message)).toContain(
      'tickets: 1 opened',
    );
  });

  it('have one issue, whose creation was interrupted before its answer', async () => {
    const hook = await addGithub();
    let cuts = 0;
    github.fault = ({ method }) => (method === 'POST' && ++cuts === 1 ? 'cut' : null);
    await fold({ name: 'interrupted', host: 'web02' });
    await caughtUp(hook.id);
    expect(github.issues).toHaveLength(1);
    expect(cuts).toBe(1);
    await until('the link', async () => (await tickets('interrupted')).length === 1);
  });

  it('have one issue, whose creation was interrupted before a change of the secret key', async () => {
    const hook = await addGithub();
    await send('POST', `${PATH}/${hook.id}/pause`);
    await fold({ name: 'before the change', host: 'web02' });
    const finding = await site.findingId('before the change');
    await site.gateway.database.pool.query(
      `insert into webhook_tickets (webhook_id, finding_id, state, opened_at, changed_at)
       values ($1, $2, 'opening', now(), now())`,
      [hook.id, finding],
    );
    const mark = new CursorSeal([Buffer.from(PREVIOUS_SECRET_KEY)]).changeId(`ticket/${hook.id}/${finding}`);
    await octokit('POST /repos/{owner}/{repo}/issues', {
      ...{ baseUrl: `${github.origin}/api/v3`, headers: { authorization: `token ${github.token}` } },
      ...{ owner: 'acme', repo: 'risks', title: 'x', body: `<!-- risk-posture-service ${mark} -->` },
    });
    await send('POST', `${PATH}/${hook.id}/resume`);
    await caughtUp(hook.id);
    await until('the link', async () => (await tickets('before the change')).length === 1);
    expect(github.issues).toHaveLength(1);
  });

  it('stay with their repository: its address cannot change', async () => {
    const hook = await addGithub();
    const change = (url: string) =>
      site.client.request('PATCH', `${PATH}/${hook.id}`, JSON.stringify({ url }));
    expect((await change(github.url)).status).toBe(200);
    const { status, body } = await change(github.url.replace(/risks$/, 'other'));
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^url .* cannot change/)]);
  });

  it('follow a repository that is renamed', async () => {
    const hook = await addGithub();
    const signal = { name: 'before the rename', host: 'web02' };
    await fold(signal);
    await caughtUp(hook.id);
    github.isRenamed = true;
    await fold({ ...signal, status: 'pass' }, { name: 'after the rename', host: 'web02' });
    await caughtUp(hook.id);
    expect(github.issues).toMatchObject([
      { title: 'before the rename on web02', state: 'closed' },
      { title: 'after the rename on web02', state: 'open' },
    ]);
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: true });
  });

  it.each([false, true])('replace an issue that was transferred; renamed: %p', async (isRenamed) => {
    const hook = await addGithub();
    const signal = { name: `transferred ${isRenamed}`, host: 'web02' };
    await fold(signal);
    await caughtUp(hook.id);
    [github.isRenamed, github.transferred] = [isRenamed, 1];
    for (const status of ['pass', 'fail'] as const) {
      await fold({ ...signal, status });
      await caughtUp(hook.id);
    }
    expect(github.issues.map(({ number, state }) => [number, state])).toEqual([
      [1, 'open'],
      [2, 'open'],
    ]);
  });

  it('fail if the repository is redirected elsewhere', async () => {
    const hook = await addGithub();
    const location = 'https://elsewhere.example/repositories/1';
    github.fault = ({ method }) => ({ status: method === 'GET' ? 301 : 307, headers: { location } });
    await fold({ name: 'elsewhere', host: 'web02' });
    await until('an attempt', async () =>
      (await deliveriesOf(hook.id)).some(({ answer }: any) => /was renamed or moved/.test(answer?.message)),
    );
    expect(github.requests.length).toBeGreaterThan(0);
  });

  it('stay open while the repository cannot be read, and are closed later', async () => {
    const hook = await addGithub();
    const signal = { name: 'hidden for a while', host: 'web02' };
    await fold(signal);
    await caughtUp(hook.id);
    github.fault = () => ({ status: 404, body: { message: 'Not Found' } });
    await fold({ ...signal, status: 'pass' });
    await until('an attempt', async () =>
      (await deliveriesOf(hook.id)).some(({ answer }: any) => /cannot be read/.test(answer?.message)),
    );
    expect(github.issues).toMatchObject([{ state: 'open' }]);
    github.fault = () => null;
    await until('the end', async () => github.issues[0]?.state === 'closed');
  });

  it('wait as long as GitHub asks for, and show why without its text', async () => {
    const hook = await addGithub();
    github.fault = () => ({ status: 403, body: 'never-to-be-seen', headers: { 'retry-after': '1200' } });
    await fold({ name: 'limited', host: 'web03' });
    await until('an attempt', async () => (await deliveriesOf(hook.id))[0]?.attempts === 1);
    const [delivery] = await deliveriesOf(hook.id);
    const { host } = new URL(github.url);
    expect(delivery).toMatchObject({
      status: 'pending',
      bytes: 0,
      answer: { status: 403, message: `${host} limits the rate of requests (status 403)` },
    });
    expect(Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.lastAttemptAt)).toBeGreaterThan(
      1_199_000,
    );
  });

  it('wait for the limit of an hour, which is no failed attempt', async () => {
    const hook = await addGithub({ options: { openedPerHourMax: 1 } });
    const before = await attemptsThatWait();
    await fold({ name: 'within the limit', host: 'web03' }, { name: 'above the limit', host: 'web03' });
    await until('the wait', async () =>
      (await deliveriesOf(hook.id)).some(({ answer }: any) =>
        /^the limit of 1 tickets/.test(answer?.message),
      ),
    );
    const [waiting] = await deliveriesOf(hook.id);
    expect(waiting).toMatchObject({ status: 'pending', attempts: 0 });
    expect(Date.parse(waiting.nextAttemptAt)).toBeGreaterThan(Date.now());
    expect(github.issues).toHaveLength(1);
    expect(await attemptsThatWait()).toBe(before + 1);
  });

  it('start the count of attempts again with one that changed a ticket', async () => {
    const hook = await addGithub();
    github.fault = ({ method }) => (method === 'POST' ? { status: 503 } : null);
    await fold({ name: 'first of two', host: 'web03' }, { name: 'second of two', host: 'web03' });
    await until('some attempts', async () => (await deliveriesOf(hook.id))[0]?.attempts > 2);
    let created = 0;
    github.fault = ({ method }) =>
      method === 'POST' && ++created > 1 ? { status: 503, headers: { 'retry-after': '1200' } } : null;
    await until('the wait', async () => {
      const [{ nextAttemptAt }] = await deliveriesOf(hook.id);
      return Date.parse(nextAttemptAt) > Date.now() + 60_000;
    });
    expect(await deliveriesOf(hook.id)).toMatchObject([
      { status: 'pending', attempts: 0, answer: { status: 503 } },
    ]);
    expect(github.issues).toHaveLength(1);
  });

  it('pause the webhook if the repository has no issues', async () => {
    const hook = await addGithub();
    github.fault = ({ method }) => (method === 'POST' ? { status: 410 } : null);
    await fold({ name: 'no issues', host: 'web04' });
    await until('the pause', async () => (await site.client.get(`${PATH}/${hook.id}`)).paused !== null);
    expect((await site.client.get(`${PATH}/${hook.id}`)).paused).toMatchObject({
      reason: 'gone',
      message: 'the repository acme/risks has no issues (status 410)',
    });
  });

  it('follow SSVC decisions, also one that comes later', async () => {
    const hook = await addGithub({ filter: { ssvc: ['Act', 'Attend'] } });
    expect(hook.topics).toEqual(['findings', 'scores']);
    const cve = 'CVE-2030-0001';
    const attributes = { criticality: 'critical' };
    await site.addSignals({ name: 'decided', host: 'web05', cve, attributes });
    await caughtUp(hook.id);
    expect(github.issues).toEqual([]);
    await site.exploit(cve);
    await until('the issue', () => github.issues.length === 1);
    await site.addSignals({ name: 'decided at once', host: 'web05', cve, attributes });
    await until('another issue', () => github.issues.length === 2);
    expect(github.issues.map(({ title }) => title)).toEqual(['decided on web05', 'decided at once on web05']);
  });

  it('follow SSVC decisions without reading findings below the severity of the filter again', async () => {
    const hook = await addGithub({ filter: { ssvc: ['Act', 'Attend'], severityMin: 7.7 } });
    const cve = 'CVE-2030-0002';
    const decided = { host: 'web06', cve, attributes: { criticality: 'critical' } };
    await site.addSignals(
      { ...decided, name: 'severe', severity: 7.7 },
      { ...decided, name: 'less severe', severity: 7.6 },
    );
    await site.exploit(cve);
    await until('the issue', () => github.issues.some(({ title }) => title === 'severe on web06'));
    const { items } = await site.client.get('/api/v3/findings?name=less%20severe');
    const { db } = site.gateway.database;
    const found = await findingsWithoutTicket(db, hook, [items[0].assetId], NIL, 10);
    expect(found).not.toContain(items[0].id);
  });

  it('of limited webhooks are about visible assets only', async () => {
    const hook = await addGithub({ departments: ['Sales'] });
    await fold(
      { name: 'own', host: 'own01', attributes: { department: 'Sales' } },
      { name: 'hidden', host: 'hidden01', attributes: { department: 'Finance' } },
    );
    await caughtUp(hook.id);
    // A delivery of the test before may end only now.
    const titles = github.issues.map(({ title }) => title).filter((title) => !/ on web/.test(title));
    expect(titles).toEqual(['own on own01']);
  });

  it('are tried without creating one; a wrong token is named', async () => {
    const hook = await addGithub();
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({
      ok: true,
      messageId: null,
      message: 'the repository acme/risks can be read and has issues; no issue was created',
    });
    await send('POST', `${PATH}/${hook.id}/rotate`, { secret: 'another' });
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: false, status: 401 });
    expect(github.issues).toEqual([]);
    const stored = await site.gateway.database.pool.query('select * from webhooks');
    expect(JSON.stringify(stored.rows)).not.toContain(github.token);
  });

  it("are read by GitHub's client from the simulated server", async () => {
    const ask = octokit.defaults({
      baseUrl: `${github.origin}/api/v3`,
      headers: { authorization: `token ${github.token}` },
    });
    const place = { owner: 'acme', repo: 'risks' };
    const { data } = await ask('POST /repos/{owner}/{repo}/issues', { ...place, title: 'x', body: 'y' });
    await ask('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...place,
      issue_number: data.number,
      state: 'closed',
      state_reason: 'completed',
    });
    const list = await ask('GET /repos/{owner}/{repo}/issues', { ...place, state: 'all' });
    expect(list.data).toMatchObject([{ number: data.number, state: 'closed' }]);
    await expect(
      ask('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
        ...place,
        issue_number: data.number,
        state: 'gone' as 'open',
      }),
    ).rejects.toMatchObject({ status: 422 });
  });
});

describe('tickets in Jira', () => {
  it('are opened, linked, closed by the category of a status, and opened again', async () => {
    const hook = await addJira({ labels: ['risk'] });
    expect(hook).toMatchObject({ kind: 'jira', url: `${jira.origin}/`, secret: null, topics: ['findings'] });
    const signal = { name: 'weak cipher', host: 'web10' };
    await fold(signal, { name: 'fine', host: 'web10', status: 'pass' });
    await caughtUp(hook.id);
    expect(jira.issues).toMatchObject([{ summary: 'weak cipher on web10', labels: ['risk'] }]);
    const link = { url: 'https://acme.atlassian.example/browse/RISK-1', label: 'RISK-1' };
    await until('the link', async () => (await tickets('weak cipher')).length === 1);
    expect(await tickets('weak cipher')).toEqual([link]);
    await fold({ ...signal, status: 'pass' });
    await caughtUp(hook.id);
    expect(jira.issues.map(({ status }) => status.category)).toEqual(['done']);
    await fold(signal);
    await caughtUp(hook.id);
    expect(jira.issues.map(({ status }) => status.category)).toEqual(['new']);
    expect(await tickets('weak cipher')).toEqual([link]);
    const stored = await site.gateway.database.pool.query('select * from webhooks');
    expect(JSON.stringify(stored.rows)).not.toContain(jira.token);
  });

  it('have one issue, whose creation was interrupted before its answer', async () => {
    const hook = await addJira();
    let cuts = 0;
    jira.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/issue') && ++cuts === 1 ? 'cut' : null;
    await fold({ name: 'cut off', host: 'web11' });
    await caughtUp(hook.id);
    expect([jira.issues.length, cuts]).toEqual([1, 1]);
    await until('the link', async () => (await tickets('cut off')).length === 1);
  });

  it('wait for searches that do not show an interrupted creation yet, and have no second issue', async () => {
    const hook = await addJira();
    jira.fault = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/issue')) return null;
      jira.unsearchable.add('RISK-1');
      return 'cut';
    };
    await fold({ name: 'not shown yet', host: 'web12' });
    await until('the wait', async () =>
      (await deliveriesOf(hook.id)).some(({ answer }: any) =>
        /^the creation .* interrupted: waits/.test(answer?.message),
      ),
    );
    const [{ nextAttemptAt, lastAttemptAt }] = await deliveriesOf(hook.id);
    expect(Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)).toBeGreaterThan(60_000);
    jira.unsearchable.clear();
    await send('POST', `${PATH}/${hook.id}/pause`);
    await send('POST', `${PATH}/${hook.id}/resume`);
    await caughtUp(hook.id);
    expect(jira.issues).toHaveLength(1);
    await until('the link', async () => (await tickets('not shown yet')).length === 1);
  });

  it('wait as long as Jira asks for', async () => {
    const hook = await addJira();
    jira.fault = () => ({ status: 429, body: 'never-to-be-seen', headers: { 'retry-after': '1200' } });
    await fold({ name: 'limited by Jira', host: 'web12' });
    await until('an attempt', async () => (await deliveriesOf(hook.id))[0]?.attempts === 1);
    const [{ answer, nextAttemptAt, lastAttemptAt }] = await deliveriesOf(hook.id);
    expect(answer).toMatchObject({
      status: 429,
      message: expect.stringMatching(/limits the rate of requests/),
    });
    expect(Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)).toBeGreaterThan(1_199_000);
  });

  it('are tried without creating one', async () => {
    const hook = await addJira();
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: true, messageId: null });
    expect(jira.issues).toEqual([]);
  });

  it("are read by jira.js, the client of Atlassian's OpenAPI document, from the simulated server", async () => {
    const client = new Version3Client({
      host: jira.origin,
      authentication: { basic: { email: jira.user, apiToken: jira.token } },
    });
    const fields = { project: { key: 'RISK' }, issuetype: { name: 'Task' }, summary: 'x', description: 'y' };
    const created = await client.issues.createIssue({
      fields,
      properties: [{ key: 'p', value: { mark: 'm' } }],
    });
    const { issues } = await client.issueSearch.searchForIssuesUsingJqlEnhancedSearchPost({
      jql: '(project = "RISK" OR creator = currentUser()) AND created >= "-5m" ORDER BY created DESC',
      ...{ fields: ['created'], properties: ['p'], maxResults: 10 },
    });
    expect(issues).toMatchObject([{ key: created.key, properties: { p: { mark: 'm' } } }]);
    const issueIdOrKey = created.key;
    const { transitions } = await client.issues.getTransitions({
      issueIdOrKey,
      expand: 'transitions.fields',
    });
    const done = transitions!.find(({ to }) => to?.statusCategory?.key === 'done')!;
    await client.issues.doTransition({ issueIdOrKey, transition: { id: done.id! } });
    const read = await client.issues.getIssue({ issueIdOrKey, fields: ['status'] });
    expect(read.fields.status?.statusCategory?.key).toBe('done');
    expect(await client.serverInfo.getServerInfo()).toMatchObject({ deploymentType: 'Cloud' });
    expect(await client.projects.getProject({ projectIdOrKey: 'RISK' })).toMatchObject({ key: 'RISK' });
    const permissions = 'CREATE_ISSUES';
    expect(await client.permissions.getMyPermissions({ projectKey: 'RISK', permissions })).toMatchObject({
      permissions: { CREATE_ISSUES: { havePermission: true } },
    });
    await expect(client.issues.createIssue({ fields: { ...fields, summary: '' } })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('tickets whose filter is narrowed', () => {
  const change = (id: string, filter: object) => send('PATCH', `${PATH}/${id}`, { filter });

  it('are closed, without another change; those that it still has stay open', async () => {
    const hook = await addGithub({ filter: { states: ['Failed', 'AcceptedFailed'] } });
    await fold({ name: 'stays', host: 'web13' }, { name: 'accepted', host: 'web13' });
    await site.accept(await site.findingId('accepted'));
    await caughtUp(hook.id);
    expect(github.issues.map(({ state }) => state)).toEqual(['open', 'open']);
    await change(hook.id, {});
    const accepted = github.issues.findIndex(({ title }) => title === 'accepted on web13');
    await until('the end', () => github.issues[accepted]?.state === 'closed');
    await caughtUp(hook.id);
    expect(github.issues.toSpliced(accepted, 1)).toMatchObject([{ title: 'stays on web13', state: 'open' }]);
    await change(hook.id, { types: ['ca'] });
    await until('the other end', () => github.issues.every(({ state }) => state === 'closed'));
    expect(github.issues.map(({ state_reason: reason }) => reason)).toEqual(['not_planned', 'not_planned']);
    await caughtUp(hook.id);
    expect((await deliveriesOf(hook.id))[0]).toMatchObject({
      changes: 1,
      answer: { message: 'tickets: 1 closed' },
    });
  });

  it('are closed after an interruption too, and messages are not sent about them', async () => {
    const hook = await add({ kind: 'slack', secret: slack.secret });
    await fold({ name: 'quiet', host: 'web14' });
    await caughtUp(hook.id);
    await send('POST', `${PATH}/${hook.id}/pause`);
    await change(hook.id, { types: ['ca'] });
    await send('POST', `${PATH}/${hook.id}/resume`);
    const open = async () => {
      const { rows } = await site.gateway.database.pool.query(
        `select from webhook_tickets where webhook_id = $1 and state <> 'closed'`,
        [hook.id],
      );
      return rows.length;
    };
    await until('the end', async () => (await open()) === 0);
    expect(slack.messages.map(({ text }) => text)).toEqual(['New: quiet on web14']);
  });
});

describe('tickets in Microsoft Teams', () => {
  it('are cards, also when a finding is fixed and when it fails again', async () => {
    const hook = await add({ kind: 'teams', secret: teams.secret, options: { channel: 'Risk' } });
    expect(hook).toMatchObject({ url: teams.origin, secret: null, options: { channel: 'Risk' } });
    const signal = { name: 'open share', host: 'web15' };
    await fold(signal);
    await caughtUp(hook.id);
    await fold({ ...signal, status: 'pass' });
    await caughtUp(hook.id);
    await fold(signal);
    await caughtUp(hook.id);
    expect(teams.titles).toEqual([
      'New: open share on web15',
      'Fixed: open share on web15',
      'Failed again: open share on web15',
    ]);
    expect(teams.cards[0]!.actions![0]!.url).toContain('https://risk.example.com/app/findings/');
    expect(JSON.stringify(await site.client.get(PATH))).not.toContain('never-to-be-seen');
  });

  it('are sent again after an interruption: at least once', async () => {
    const hook = await add({ kind: 'teams', secret: teams.secret });
    let cuts = 0;
    teams.fault = () => (++cuts === 1 ? 'cut' : null);
    await fold({ name: 'twice', host: 'web16' });
    await caughtUp(hook.id);
    expect(teams.titles).toEqual(['New: twice on web16', 'New: twice on web16']);
  });

  it('are tried by a test message; an address that is no longer valid is named', async () => {
    const hook = await add({ kind: 'teams', secret: teams.secret });
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: true });
    expect(teams.titles).toEqual(['Test of the Risk Posture Service. No finding has changed.']);
    await send('POST', `${PATH}/${hook.id}/rotate`, { secret: teams.secret.replace('never', 'no-longer') });
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: false, status: 401 });
  });
});

describe('tickets in Slack', () => {
  it('are messages, also when a finding is fixed and when it fails again', async () => {
    const hook = await add({ kind: 'slack', secret: slack.secret });
    expect(hook).toMatchObject({ url: slack.origin, secret: null });
    const signal = { name: 'open port', host: 'web06' };
    await fold(signal);
    await caughtUp(hook.id);
    await fold({ ...signal, status: 'pass' });
    await caughtUp(hook.id);
    await fold(signal);
    await caughtUp(hook.id);
    expect(slack.messages.map(({ text }) => text)).toEqual([
      'New: open port on web06',
      'Fixed: open port on web06',
      'Failed again: open port on web06',
    ]);
    expect(JSON.stringify(slack.messages[0])).toContain('https://risk.example.com/app/findings/');
    expect(JSON.stringify(await site.client.get(PATH))).not.toContain('never-to-be-seen');
  });

  it('are tried by a test message', async () => {
    const hook = await add({ kind: 'slack', secret: slack.secret });
    expect(await send('POST', `${PATH}/${hook.id}/test`)).toMatchObject({ ok: true });
    expect(slack.messages).toHaveLength(1);
  });

  it("are taken from Slack's client by the simulated server", async () => {
    const client = new IncomingWebhook(slack.secret);
    await client.send({ text: 'x', blocks: [{ type: 'section', text: { type: 'plain_text', text: 'x' } }] });
    expect(slack.messages).toHaveLength(1);
    const tooLong = { type: 'plain_text' as const, text: 'x'.repeat(3_001) };
    await expect(client.send({ text: 'x', blocks: [{ type: 'section', text: tooLong }] })).rejects.toThrow();
  });
});

describe('tickets by e-mail', () => {
  const options = { from: 'risk@example.com', to: ['ana@example.com', 'bo@example.com'] };

  it('are messages of one thread', async () => {
    const mail = await MailServer.start();
    try {
      const hook = await add({ kind: 'email', url: mail.url(), options });
      const signal = { name: 'mail finding', host: 'web09' };
      await fold(signal);
      await caughtUp(hook.id);
      await fold({ ...signal, status: 'pass' });
      await caughtUp(hook.id);
      expect(mail.mails.map(({ from, to }) => ({ from, to }))).toEqual([options, options]);
      const [opened, closed] = mail.mails.map(({ text }) => text);
      const [, id] = /^Message-ID: (<.*>)\r$/im.exec(opened!)!;
      expect(opened).toMatch(/^Subject: New: mail finding on web09\r$/m);
      expect(closed).toMatch(/^Subject: Fixed: mail finding on web09\r$/m);
      expect(closed).toContain(`In-Reply-To: ${id}`);
    } finally {
      await mail.close();
    }
  });
});
