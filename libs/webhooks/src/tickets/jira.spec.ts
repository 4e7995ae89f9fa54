import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Egress, openEgress } from '#libs/egress';
import { JiraServer } from '../../../../test/fixtures/tickets/jira-server.ts';
import { jira } from './jira.ts';
import type { TicketContent } from './ticket-content.ts';
import type { TicketOptions } from './ticket-kinds.ts';
import type { TicketConnection } from './ticket-request.ts';

const CONTENT: TicketContent = {
  ...{ title: 'old kernel on web01', texts: [], url: null },
  facts: [{ label: 'State', value: 'Failed' }],
};
const MARK = {
  ...{ text: '6f9619ff-8b86-8011-b42d-00c04fc964ff', formerTexts: [] },
  ...{ since: Date.now(), requestedAt: null },
};
const MINUTE_MS = 60_000;

let server: JiraServer;
let egress: Egress;
beforeAll(async () => {
  server = await JiraServer.start();
  egress = openEgress({ allow: () => ['127.0.0.1'] });
});
afterAll(async () => {
  server.close();
  await egress.close();
});
afterEach(() => {
  server.issues.length = 0;
  server.unsearchable.clear();
  server.fault = () => null;
  server.requiredFields = [];
});

function system(options: TicketOptions = {}, connection: Partial<TicketConnection> = {}) {
  return jira(
    {
      ...{ egress, url: server.origin, secret: server.token, clock: Date.now, timeoutMs: 10_000 },
      ...{ signal: undefined, ...connection },
    },
    { project: 'RISK', issueType: 'Task', user: server.user, ...options },
  );
}

describe('Jira', () => {
  it('has issues whose marks are found, and which are closed and opened again by the category of the status', async () => {
    const opened = await system({ labels: ['risk'] }).open(CONTENT, MARK);
    expect(opened).toEqual({ key: 'RISK-1', url: 'https://acme.atlassian.example/browse/RISK-1' });
    expect(server.issues).toMatchObject([{ summary: 'old kernel on web01', labels: ['risk'] }]);
    expect(await system().find(MARK)).toEqual(opened);
    expect(await system().find({ ...MARK, text: 'another' })).toBeNull();
    expect(await system().find({ ...MARK, text: 'another', formerTexts: [MARK.text] })).toEqual(opened);
    await system().close(opened, null, 'Fixed');
    await system().close(opened, null, 'Fixed');
    expect(server.issues[0]!.status.category).toBe('done');
    expect(await system().reopen(opened, CONTENT)).toBe(true);
    expect(await system().reopen(opened, CONTENT)).toBe(true);
    expect(server.issues[0]!.status.category).toBe('new');
    server.issues.length = 0;
    expect(await system().reopen(opened, CONTENT)).toBe(false);
    await system().close(opened, null, 'Fixed');
  });

  it('finds a mark on a later page', async () => {
    await system().open(CONTENT, MARK);
    for (let i = 0; i < 150; i += 1)
      server.issues.push({ ...server.issues[0]!, key: `RISK-${i + 2}`, properties: {} });
    expect(await system().find(MARK)).toMatchObject({ key: 'RISK-1' });
  });

  it('waits for searches while a request can have created an issue that they do not show', async () => {
    const now = Date.now();
    await system().open(CONTENT, MARK);
    server.unsearchable.add('RISK-1');
    const find = (ms: number) => system({}, { clock: () => now + ms }).find({ ...MARK, requestedAt: now });
    await expect(find(MINUTE_MS)).rejects.toMatchObject({
      details: { retryAfterMs: MINUTE_MS, isOwnLimit: true },
    });
    server.unsearchable.clear();
    expect(await find(MINUTE_MS)).toMatchObject({ key: 'RISK-1' });
    server.issues.length = 0;
    expect(await find(2 * MINUTE_MS)).toBeNull();
  });

  it('accepts a token with scopes, and links to the site', async () => {
    const { url } = await system({}, { url: `${server.scopedUrl}/` }).open(CONTENT, MARK);
    expect(url).toBe('https://acme.atlassian.example/browse/RISK-1');
  });

  it('names the fields that Jira rejects, without its texts', async () => {
    server.requiredFields = ['customfield_10042'];
    await expect(system().open(CONTENT, MARK)).rejects.toMatchObject({
      message: 'the project RISK does not accept the issue (status 400): see the fields customfield_10042',
      details: { status: 400, isOfFinding: true },
    });
    await expect(system({ issueType: 'Epos' }).open(CONTENT, MARK)).rejects.toThrow('issuetype');
  });

  it('sets a resolution where the transition requires one, and says so if there is none', async () => {
    server.requiresResolution = true;
    try {
      const opened = await system().open(CONTENT, MARK);
      await expect(system().close(opened, null, 'Fixed')).rejects.toMatchObject({
        message:
          'the transition of RISK-1 requires fields: resolution (options.resolution sets the resolution)',
        details: { status: null, isOfFinding: true },
      });
      await system({ resolution: 'Done' }).close(opened, null, 'Fixed');
      expect(server.issues).toMatchObject([{ resolution: 'Done', status: { category: 'done' } }]);
      expect(await system({ resolution: 'Done' }).reopen(opened, CONTENT)).toBe(true);
    } finally {
      server.requiresResolution = false;
    }
  });

  it('closes no issue while the project cannot be seen', async () => {
    server.fault = () => ({ status: 404, body: {} });
    await expect(system().close({ key: 'RISK-1' }, null, 'Fixed')).rejects.toThrow(
      'the project RISK does not exist, or the account cannot see it',
    );
  });

  it.each([
    ['Retry-After', () => ({ 'retry-after': '30' })],
    ['the time of the reset', () => ({ 'x-ratelimit-reset': new Date(Date.now() + 30_000).toISOString() })],
  ])('waits by %s', async (_, headers) => {
    server.fault = () => ({ status: 429, body: 'never-to-be-seen', headers: headers() });
    const error = await system()
      .open(CONTENT, MARK)
      .catch((reason) => reason);
    expect(error.message).toMatch(/limits the rate of requests \(status 429\)$/);
    expect(Math.round(error.details.retryAfterMs / 5_000)).toBe(6);
  });

  it.each([
    [400, true],
    [401, false],
    [403, false],
    [409, true],
    [429, false],
    [500, false],
  ])('says with status %s whether only one issue is rejected: %s', async (status, isOfFinding) => {
    server.fault = () => ({ status });
    await expect(system().close({ key: 'RISK-1' }, null, 'Fixed')).rejects.toMatchObject({
      details: { status, isOfFinding },
    });
  });

  it('tries project, issue type and permissions', async () => {
    expect(await system().test()).toMatch(
      /^the project RISK has the issue type Task, .* no issue was created$/,
    );
    await expect(system({ issueType: 'Epos' }).test()).rejects.toThrow(
      'the project RISK has no issue type Epos',
    );
    await expect(system({ issueType: 'Subtask' }).test()).rejects.toThrow('no issue type Subtask');
    await expect(system({ project: 'OTHER' }).test()).rejects.toThrow('the project OTHER does not exist');
    await expect(system({}, { secret: 'another' }).test()).rejects.toThrow(
      'does not accept the secret (status 401)',
    );
    server.permissions = ['BROWSE_PROJECTS'];
    await expect(system().test()).rejects.toThrow(
      'the account lacks permissions in the project RISK: CREATE_ISSUES, TRANSITION_ISSUES',
    );
    server.permissions = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];
    expect(server.issues).toEqual([]);
  });
});
