import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const PATH = '/api/v3/report-schedules';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EMAIL = { url: 'smtp://mail.example:587', from: 'risk@example.com', to: ['ana@example.com'] };
const WEEKLY = { name: 'Weekly', report: 'board', cron: '0 8 * * 1', timeZone: 'Europe/Berlin' };

let gateway: StartedGateway;
let admin: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => NOW, folds: true });
  admin = await gateway.client();
});
afterAll(() => gateway.stop());
afterEach(() => gateway.database.pool.query('delete from report_schedules'));

const ask = (method: string, path: string, given?: object, client = admin) =>
  client.request(method, path, given && JSON.stringify(given));
async function done(method: string, path: string, given?: object) {
  const { status, body } = await ask(method, path, given);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const add = (given: object = {}) => done('POST', PATH, { ...WEEKLY, email: EMAIL, ...given });
const refusedFor = async (given: object) => {
  const { status, body } = await ask('POST', PATH, { ...WEEKLY, ...given });
  return [status, body.message];
};

describe('report schedules (R-SEND-1)', () => {
  it('are added, listed, read, changed and removed', async () => {
    const { webhookSecret, ...added } = await add();
    expect(webhookSecret).toBeNull();
    expect(added).toEqual({
      ...{ ...WEEKLY, id: expect.any(String), version: 1, query: '', enabled: true, owner: 'admin' },
      ...{ email: { ...EMAIL, user: null }, webhook: null, stopped: null, problem: null, last: [] },
      next: ['02T07', '09T07', '16T07', '23T07', '30T06'].map((time) => `2026-03-${time}:00:00.000Z`),
      ...{ createdAt: '2026-03-01T12:00:00.000Z', updatedAt: '2026-03-01T12:00:00.000Z' },
    });
    expect(await admin.get(`${PATH}/${added.id}`)).toEqual(added);
    const second = await add({
      name: 'Second',
      report: 'technical',
      query: 'severityMin=7&q=log4j state:Failed',
    });
    expect((await admin.all(`${PATH}`)).map(({ name }) => name).sort()).toEqual(['Second', 'Weekly']);
    const page = await admin.get(`${PATH}?limit=1`);
    const rest = await admin.get(`${PATH}?limit=1&cursor=${page.nextCursor}`);
    expect([...page.items, ...rest.items].map(({ id }) => id).sort()).toEqual([added.id, second.id].sort());
    const changed = await done('PATCH', `${PATH}/${added.id}`, {
      ...{ version: 1, name: 'Daily', cron: '0 8 * * *', timeZone: 'UTC' },
      email: { ...EMAIL, to: ['bo@example.com'] },
    });
    expect(changed).toMatchObject({ name: 'Daily', version: 2, email: { to: ['bo@example.com'] } });
    expect(changed.next[0]).toBe('2026-03-02T08:00:00.000Z');
    expect((await done('DELETE', `${PATH}/${added.id}`)).name).toBe('Daily');
    expect((await ask('GET', `${PATH}/${added.id}`)).status).toBe(404);
  });

  it('are 404 and 409 as other resources', async () => {
    const { id } = await add();
    expect((await ask('PATCH', `${PATH}/${id}`, { version: 2, name: 'x' })).status).toBe(409);
    expect((await ask('PATCH', `${PATH}/${id}`, {})).status).toBe(400);
    for (const [method, path] of [
      ['GET', NOBODY],
      ['DELETE', NOBODY],
      ['POST', `${NOBODY}/send`],
      ['GET', `${NOBODY}/deliveries`],
    ] as const) {
      expect([path, (await ask(method, `${PATH}/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await ask('PATCH', `${PATH}/${NOBODY}`, { name: 'x' })).status).toBe(404);
  });

  it('are 50 at most', async () => {
    for (let i = 0; i < 49; i++) await add({ name: `Nr. ${i}` });
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', PATH, { ...WEEKLY, email: EMAIL })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await refusedFor({ email: EMAIL })).toEqual([409, expect.stringContaining('limit of 50')]);
  });

  it('have five next times, also before they are saved', async () => {
    const { times } = await done('POST', `${PATH}/preview`, { cron: '30 6 1 * *', timeZone: 'UTC' });
    expect(times).toEqual([4, 5, 6, 7, 8].map((month) => `2026-0${month}-01T06:30:00.000Z`));
    expect((await ask('POST', `${PATH}/preview`, { cron: '* * * * *', timeZone: 'UTC' })).status).toBe(400);
  });

  it('are for those who may write webhooks', async () => {
    const viewer = await gateway.client('viewer');
    expect((await ask('GET', PATH, undefined, viewer)).status).toBe(403);
    expect((await ask('POST', PATH, { ...WEEKLY, email: EMAIL }, viewer)).status).toBe(403);
  });

  it.each<[object, string]>([
    [{}, 'email or webhook must say where the report is sent to'],
    [{ email: EMAIL, cron: '*/5 * * * *' }, 'cron must begin with one minute'],
    [{ email: EMAIL, timeZone: 'Mars/Base' }, 'timeZone must be an IANA time zone'],
    [{ email: EMAIL, query: 'severityMin=7' }, 'query is not a field of the board report'],
    [{ email: EMAIL, report: 'technical', query: 'severityMin=70' }, 'query.severityMin must'],
    [{ email: EMAIL, report: 'technical', query: 'asOf=2026-01-01' }, 'query.asOf is unknown'],
    [{ email: EMAIL, report: 'technical', query: 'q=severity:x' }, 'query.q, character'],
    [{ email: EMAIL, report: 'daily' }, 'report must be one of board, technical'],
    [{ email: EMAIL, name: 'a\nb' }, 'name must not contain line breaks'],
    [{ email: EMAIL, name: ' ' }, 'name must not be empty'],
    ...['', 'mail.example:587', 'https://mail.example', 'smtp://user@mail.example'].map(
      (url): [object, string] => [
        { email: { ...EMAIL, url } },
        'email.url must be the address of a mail server',
      ],
    ),
    [{ email: { ...EMAIL, to: ['nobody'] } }, 'email.to must be an email'],
    [{ email: { ...EMAIL, to: [] } }, 'email.to should not be empty'],
    [{ email: { ...EMAIL, user: 'risk' } }, 'email.password must be the password of email.user'],
    [{ email: { ...EMAIL, password: 'p' } }, 'email.password must be the password of email.user'],
    [{ webhook: { url: 'smtp://mail.example' } }, 'webhook.url must be a URL that starts with http'],
    [{ webhook: { url: 'https://a.example', secret: 'x' } }, 'webhook.secret must be whsec_'],
  ])('reject %j', async (given, message) => {
    expect(await refusedFor(given)).toEqual([400, expect.stringContaining(message)]);
  });
});

const actsOn = async (id: string) => (await admin.all('/api/v3/audit')).filter(({ target }) => target === id);

describe('what a schedule keeps secret (R-SEND-6)', () => {
  const stored = async (): Promise<string> =>
    JSON.stringify((await gateway.database.pool.query('select * from report_schedules')).rows);

  it('names nobody in the clear, returns no secret, and generates one of a webhook', async () => {
    const email = { ...EMAIL, user: 'risk', password: 'mail-password' };
    const given = {
      report: 'technical',
      query: 'assignee=cleo',
      email,
      webhook: { url: 'https://a.example/t0ken' },
    };
    const { webhookSecret, ...added } = await add(given);
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(added).toMatchObject({ query: 'assignee=cleo', webhook: { url: 'https://a.example/t0ken' } });
    expect(JSON.stringify(added)).not.toMatch(/mail-password|whsec_/);
    expect(await stored()).not.toMatch(/cleo|ana@|risk@|mail[.-]|t0ken|whsec_/);
    const own = await add({ webhook: { url: 'https://a.example', secret: SECRET } });
    expect(own.webhookSecret).toBeNull();
    await done('POST', `${PATH}/${added.id}/send`);
    await done('DELETE', `${PATH}/${added.id}`);
    let acts: Awaited<ReturnType<typeof actsOn>> = [];
    await until('the acts', async () => {
      acts = await actsOn(added.id);
      return acts.length === 3;
    });
    expect(acts.map(({ action, user }) => [action, user])).toEqual(
      expect.arrayContaining(
        ['Added', 'Sent', 'Removed'].map((act) => [`webhook.reportSchedule${act}`, 'admin']),
      ),
    );
    const { after } = acts.find(({ action }) => action.endsWith('Added')).detail;
    expect(after).toMatchObject({
      ...{ report: 'technical', cron: '0 8 * * 1', timeZone: 'Europe/Berlin', enabled: true },
      ...{ email: { url: 'smtp://mail.example:587', recipients: 1 }, webhook: { url: 'https://a.example' } },
    });
    expect(JSON.stringify(acts)).not.toMatch(/cleo|ana@|risk@|mail-password|t0ken|whsec_/);
  });

  it('keeps its password for the same user of the same mail server only', async () => {
    const email = { ...EMAIL, user: 'risk', password: 'mail-password' };
    const { id } = await add({ email });
    const changed = (given: object) =>
      ask('PATCH', `${PATH}/${id}`, { email: { ...EMAIL, user: 'risk', ...given } }).then(
        ({ status }) => status,
      );
    expect(await changed({ to: ['bo@example.com'] })).toBe(200);
    expect(await changed({ url: 'smtp://other.example' })).toBe(400);
    expect(await changed({ user: 'other' })).toBe(400);
    expect(await changed({ url: 'smtp://other.example', password: 'another' })).toBe(200);
    expect((await ask('PATCH', `${PATH}/${id}`, { email: null })).status).toBe(400);
    const both = await done('PATCH', `${PATH}/${id}`, { email: null, webhook: { url: 'https://a.example' } });
    expect(both).toMatchObject({ email: null, webhookSecret: expect.stringMatching(/^whsec_/) });
    const moved = await done('PATCH', `${PATH}/${id}`, { webhook: { url: 'https://b.example' } });
    expect(moved).toMatchObject({ webhook: { url: 'https://b.example/' }, webhookSecret: null });
  });

  it('shows why it cannot be read with another secret key', async () => {
    const { id } = await add();
    await gateway.database.pool.query(
      `update report_schedules set content = 'v1.AAAAAAAA.' || repeat('A', 80)`,
    );
    expect(await admin.get(`${PATH}/${id}`)).toMatchObject({
      ...{ email: null, query: '', problem: expect.stringContaining('different secret key') },
    });
    expect((await ask('PATCH', `${PATH}/${id}`, { name: 'x' })).status).toBe(400);
    await done('DELETE', `${PATH}/${id}`);
  });
});

it('ends what waits when it is disabled, and continues with the next time (R-SEND-4)', async () => {
  // Nothing is at this address, and it is not allowed.
  const { id } = await add({ email: { ...EMAIL, url: 'smtp://127.0.0.1:9' } });
  expect((await done('POST', `${PATH}/${id}/send`)).last).toMatchObject([
    { channel: 'email', cause: 'user', at: '2026-03-01T11:59:59.000Z', status: 'pending' },
  ]);
  await until('an attempt', async () => (await admin.get(`${PATH}/${id}`)).last[0].answer !== null);
  const off = await done('PATCH', `${PATH}/${id}`, { enabled: false });
  expect(off).toMatchObject({
    ...{ enabled: false, next: [] },
    last: [{ status: 'failed', answer: { message: 'the schedule was disabled' } }],
  });
  expect((await done('PATCH', `${PATH}/${id}`, { enabled: true })).next[0]).toBe('2026-03-02T07:00:00.000Z');
  expect((await admin.get(`${PATH}/${id}/deliveries`)).items).toEqual(off.last);
});

it('does not end what a user sends with a schedule that is disabled already when it is changed (R-SEND-4)', async () => {
  const { id } = await add({ enabled: false, email: { ...EMAIL, url: 'smtp://127.0.0.1:9' } });
  await done('POST', `${PATH}/${id}/send`);
  const changed = await done('PATCH', `${PATH}/${id}`, { name: 'corrected', enabled: false });
  expect(changed).toMatchObject({ enabled: false, last: [{ cause: 'user', status: 'pending' }] });
});

it('sends no report for a user while the last one is pending (R-SEND-7)', async () => {
  const { id } = await add({ email: { ...EMAIL, url: 'smtp://127.0.0.1:9' } });
  await done('POST', `${PATH}/${id}/send`);
  const { status, body } = await ask('POST', `${PATH}/${id}/send`);
  expect([status, body.message]).toEqual([409, expect.stringContaining('still pending')]);
  await done('PATCH', `${PATH}/${id}`, { enabled: false });
  await done('POST', `${PATH}/${id}/send`);
});

it('stopped schedules are counted in the metrics by reason', async () => {
  const { id } = await add();
  await gateway.database.pool.query(
    `update report_schedules set enabled = false, stopped = '{"reason": "access"}' where id = $1`,
    [id],
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toContain('posture_report_schedules_stopped{reason="access"} 1\n');
  expect(metrics).toContain('posture_report_schedules_stopped{reason="restored"} 0\n');
});
