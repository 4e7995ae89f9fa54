import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { runPosture } from '../../apps/cli/src/posture.ts';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { recordingTerminal } from '../fixtures/cli/simulated-service.ts';
import { attachmentOf, textOf } from '../fixtures/reports/mail-parts.ts';
import { ScoredSite } from '../fixtures/scores/scored-site.ts';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { ApiClient } from '../support/api-client.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';
import { isSignedBy, WebhookReceiver } from '../support/webhook-receiver.ts';

const PATH = '/api/v3/report-schedules';
/** A Sunday. */
const BEGIN = Date.parse('2026-03-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SECRET_KEY = 'a-secret-of-the-site-that-is-long-enough';
const ENV = { POSTURE_SECRET_KEY: SECRET_KEY, PUBLIC_URL: 'https://risk.example.com' };
const HOURLY = '0 * * * *';

let site: ScoredSite;
let mail: MailServer;
let receiver: WebhookReceiver;
const others: StartedGateway[] = [];

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN, ENV);
  [mail, receiver] = await Promise.all([MailServer.start(), WebhookReceiver.start()]);
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
  await site.addSignals(
    { name: 'of sales', host: 'web01', cve: 'CVE-2024-10001', attributes: { department: 'Sales' } },
    { name: 'of finance', host: 'web02', cve: 'CVE-2024-10002', attributes: { department: 'Finance' } },
  );
  site.pass();
});
afterAll(async () => {
  receiver.close();
  await mail.close();
  await site.stop();
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
  await site.gateway.database.pool.query('delete from report_schedules');
  mail.mails.length = 0;
  mail.rejected.clear();
  receiver.received.length = 0;
  receiver.receive = () => ({ status: 204 });
});

async function send(method: string, path: string, given?: object, client = site.client): Promise<any> {
  const { status, body } = await client.request(method, path, given && JSON.stringify(given));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const byEmail = (given: object = {}) => ({
  email: { url: mail.url(), from: 'risk@example.com', to: ['ana@example.com', 'bo@example.com'], ...given },
});
const toWebhook = () => ({ webhook: { url: receiver.url } });
const add = (given: object, client = site.client) =>
  send('POST', PATH, { name: 'Weekly', report: 'board', cron: HOURLY, ...given }, client);
const scheduleOf = (id: string) => site.client.get(`${PATH}/${id}`);
const lastOf = async (id: string) => (await scheduleOf(id)).last;
const deliveriesOf = async (id: string) => (await site.client.get(`${PATH}/${id}/deliveries`)).items;

/** To a second after the next full hour; returns the hour. Tokens last an hour. */
async function nextHour(): Promise<string> {
  const hour = Math.floor(site.now / HOUR_MS) * HOUR_MS + HOUR_MS;
  site.pass(hour + 1_000 - site.now);
  await site.signInAgain();
  return isoTime(hour);
}
const settled = (id: string, count = 1) =>
  until('the deliveries end', async () => {
    const all = await deliveriesOf(id);
    return all.length >= count && all.every(({ status }: any) => status !== 'pending');
  });
const attempted = (id: string, attempts: number) =>
  until(`${attempts} attempts`, async () => {
    const [delivery] = await lastOf(id);
    return delivery?.attempts === attempts && delivery.answer !== null && delivery.status === 'pending';
  });

/** A further gateway on the same database, with the clock of the site. */
async function otherGateway(): Promise<StartedGateway> {
  const other = await StartedGateway.start({
    ...{ beside: site.gateway, clock: () => site.now, env: ENV },
    settings: { egressAllow: ['127.0.0.1'] },
  });
  others.push(other);
  return other;
}

/** Exit code and output of `posture report --check`. */
async function check(content: string | Buffer, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'posture-sent-'));
  try {
    const file = join(folder, name);
    await writeFile(file, content);
    const [POSTURE_USERNAME, POSTURE_PASSWORD] = site.gateway.credentialsOf('viewer').split(':');
    const env = { POSTURE_URL: site.gateway.url, POSTURE_USERNAME, POSTURE_PASSWORD };
    const terminal = recordingTerminal(env);
    const exitCode = await runPosture(['report', '--check', file], terminal);
    return { exitCode, err: terminal.err() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a scheduled board report (R-SEND-2)', () => {
  it('is sent by e-mail as of its time, with the page, the score and a link, and can be checked', async () => {
    const { id, next } = await add({ ...byEmail(), name: 'For the board' });
    const time = await nextHour();
    expect(next[0]).toBe(time);
    await settled(id);
    expect(mail.mails).toMatchObject([
      { from: 'risk@example.com', to: ['ana@example.com', 'bo@example.com'] },
    ]);
    const { text } = mail.mails[0]!;
    const { score } = await site.client.get(`/api/v3/scores/organization?asOf=${time}`);
    expect(text).toContain(`Subject: Board report ${time.slice(0, 10)}: For the board`);
    expect(textOf(text)).toContain(`Risk score: ${score.toFixed(2)} of 100.`);
    expect(textOf(text)).toContain('https://risk.example.com/app/');
    const page = attachmentOf(text);
    expect(page.name).toBe(`board-report-${time.slice(0, 10)}.html`);
    expect(page.content.toString()).toContain(encodeURIComponent(time));
    expect(await check(page.content, page.name)).toEqual({ exitCode: 0, err: '' });
    expect(await lastOf(id)).toMatchObject([
      { at: time, channel: 'email', cause: 'schedule', status: 'sent', attempts: 1 },
    ]);
    expect((await scheduleOf(id)).next[0]).toBe(isoTime(Date.parse(time) + HOUR_MS));
  });

  it('is sent to a webhook, signed, as the event whose data can be checked', async () => {
    const { id, webhookSecret } = await add(toWebhook());
    const time = await nextHour();
    await settled(id);
    const [delivery] = receiver.received;
    expect(isSignedBy(webhookSecret, delivery!)).toBe(true);
    const [{ id: deliveryId, messageId }] = await lastOf(id);
    expect([delivery!.id, delivery!.contentType]).toEqual([
      messageId,
      'application/cloudevents-batch+json; charset=utf-8',
    ]);
    expect(delivery!.events).toMatchObject([
      { id: deliveryId, type: 'posture.report.board', subject: id, time, data: { at: time } },
    ]);
    expect(delivery!.events[0].data).toEqual(await site.client.get(`/api/v3/reports/board?asOf=${time}`));
    expect(await check(JSON.stringify(delivery!.events[0].data), 'report.json')).toEqual({
      exitCode: 0,
      err: '',
    });
  });

  it('is the same in each attempt, under the same id, as of its time', async () => {
    const { id } = await add(toWebhook());
    receiver.receive = (_, count) => ({ status: count === 1 ? 503 : 204 });
    const time = await nextHour();
    await attempted(id, 1);
    expect(await lastOf(id)).toMatchObject([
      { status: 'pending', answer: { status: 503, message: 'the receiver did not accept it (status 503)' } },
    ]);
    await site.addSignals({ name: 'later', host: 'web01', cve: 'CVE-2024-10003' });
    site.pass(60_000);
    await settled(id);
    const [first, second] = receiver.received;
    expect(second!.id).toBe(first!.id);
    expect(second!.body.equals(first!.body)).toBe(true);
    expect(second!.events[0].data.at).toBe(time);
  });
});

describe('each time is sent once (R-SEND-3)', () => {
  it('by several gateways', async () => {
    await otherGateway();
    await otherGateway();
    const { id } = await add({ ...byEmail(), ...toWebhook() });
    for (let hour = 1; hour <= 3; hour++) {
      await nextHour();
      await settled(id, 2 * hour);
    }
    expect(mail.mails).toHaveLength(3);
    expect(new Set(receiver.received.map(({ id: message }) => message)).size).toBe(3);
    expect(receiver.received).toHaveLength(3);
  });

  it('after a downtime, as of the last missed time', async () => {
    const { id } = await add({ ...toWebhook(), cron: '0 6 * * *' });
    site.pass(5 * DAY_MS);
    await site.signInAgain();
    await settled(id);
    expect(receiver.events).toMatchObject([{ time: `${isoTime(site.now).slice(0, 10)}T06:00:00.000Z` }]);
    const [delivery] = await lastOf(id);
    expect(delivery.cause).toBe('catchUp');
    expect(Date.parse((await scheduleOf(id)).next[0])).toBeGreaterThan(site.now);
  });

  it('again if a gateway did not say what came of it, when its time for that has passed', async () => {
    const { id } = await add(toWebhook());
    let cut = () => {};
    receiver.receive = () => new Promise((resolve) => (cut = () => resolve('cut')));
    await nextHour();
    await until('the first message', () => receiver.received.length === 1);
    const { pool } = site.gateway.database;
    // Whatever this gateway says later is of an attempt that is no longer the last one.
    const { rows } = await pool.query(
      `update report_deliveries set attempts = attempts + 1
       returning extract(epoch from next_attempt_at - last_attempt_at)::int as lease`,
    );
    expect(rows).toEqual([{ lease: 900 }]);
    receiver.receive = () => ({ status: 204 });
    await otherGateway();
    site.pass(15 * 60_000 - 1_000);
    expect((await lastOf(id))[0].status).toBe('pending');
    site.pass();
    await settled(id);
    cut();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    expect(await lastOf(id)).toMatchObject([{ status: 'sent', attempts: 3 }]);
  });
});

describe('a report that cannot be sent (R-SEND-4)', () => {
  it('is tried 8 times, and then no more', async () => {
    const { id } = await add(byEmail());
    mail.rejected.add('ana@example.com').add('bo@example.com');
    await nextHour();
    for (let attempt = 1; attempt < 8; attempt++) {
      await attempted(id, attempt);
      const [{ lastAttemptAt, nextAttemptAt }] = await lastOf(id);
      const waitMs = Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt);
      const longest = Math.min(60_000 * 2 ** (attempt - 1), HOUR_MS);
      expect(waitMs).toBeGreaterThanOrEqual(longest / 2);
      expect(waitMs).toBeLessThanOrEqual(longest);
      await site.gateway.database.pool.query(`update report_schedules set next_at = null where id = $1`, [
        id,
      ]);
      site.pass(waitMs);
      await site.signInAgain();
    }
    await settled(id);
    expect(await lastOf(id)).toMatchObject([
      {
        ...{ status: 'failed', attempts: 8, nextAttemptAt: null },
        answer: { message: expect.stringMatching(/does not accept the sender or the recipients/) },
      },
    ]);
    expect(mail.mails).toEqual([]);
  }, 60_000);

  it('says of an error of the service only that it is in the log', async () => {
    const { pool } = site.gateway.database;
    const { id } = await add(byEmail());
    await pool.query('alter table score_history rename to score_history_away');
    try {
      await nextHour();
      await attempted(id, 1);
      const [{ answer }] = await lastOf(id);
      expect(answer.message).toBe('the report cannot be made: see the log of the gateway');
    } finally {
      await pool.query('alter table score_history_away rename to score_history');
    }
    site.pass(61_000);
    await settled(id);
    expect(mail.mails).toHaveLength(1);
  });

  it('has failed if its last attempt was interrupted, with a warning and in the metrics', async () => {
    const failed = async () => {
      const metrics = await (await fetch(`${site.gateway.url}/metrics`)).text();
      return Number(/^posture_report_attempts_total\{outcome="failed"\} (\d+)$/m.exec(metrics)![1]);
    };
    const { id } = await add(toWebhook());
    let cut = () => {};
    receiver.receive = () => new Promise((resolve) => (cut = () => resolve('cut')));
    await nextHour();
    await until('the message', () => receiver.received.length === 1);
    // As a gateway leaves it that is ended during this attempt.
    await site.gateway.database.pool.query('update report_deliveries set attempts = 8');
    const before = await failed();
    const other = await otherGateway();
    site.pass(15 * 60_000);
    await settled(id);
    expect(await lastOf(id)).toMatchObject([
      { status: 'failed', answer: { message: 'the last attempt was interrupted' } },
    ]);
    await until('the warning', () =>
      other.lines.some((line) => line.includes('scheduled reports: 1 failed')),
    );
    expect(await failed()).toBe(before + 1);
    cut();
  });

  it('ends with its channel, which is no failure that notifies', async () => {
    const { id } = await add({ ...byEmail(), ...toWebhook() });
    receiver.receive = () => ({ status: 503 });
    await nextHour();
    await until('an attempt', async () => (await lastOf(id))[1]?.answer?.status === 503);
    await send('PATCH', `${PATH}/${id}`, { webhook: null });
    expect((await lastOf(id))[1]).toMatchObject({
      ...{ channel: 'webhook', status: 'failed', attempts: 1, nextAttemptAt: null },
      answer: { message: 'the channel was removed from the schedule' },
    });
    const { rows } = await site.gateway.database.pool.query(
      `select from report_deliveries d join report_schedules s on s.id = d.schedule_id
        where d.status = 'failed' and d.finished_at > s.updated_at`,
    );
    expect(rows).toEqual([]);
  });

  it('says which recipients were rejected if some were not, and is sent', async () => {
    const { id } = await add(byEmail());
    mail.rejected.add('bo@example.com');
    await nextHour();
    await settled(id);
    expect(await lastOf(id)).toMatchObject([
      { status: 'sent', answer: { message: 'the mail server rejected 1 of the 2 recipients' } },
    ]);
  });

  it('is not tried again at a receiver that is gone, and not sent to a private address', async () => {
    receiver.receive = () => ({ status: 410 });
    const gone = await add(toWebhook());
    await nextHour();
    await settled(gone.id);
    expect(await lastOf(gone.id)).toMatchObject([{ status: 'failed', attempts: 1, answer: { status: 410 } }]);
    await send('PATCH', '/api/v3/settings', { egressAllow: [] });
    const closed = await add(byEmail());
    await nextHour();
    await attempted(closed.id, 1);
    await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
    expect((await lastOf(closed.id))[0].answer.message).toContain('not a public address');
    expect(mail.mails).toEqual([]);
  });
});

describe('the owner of a schedule (R-SEND-5)', () => {
  const DESK = ['findings:read', 'assets:read', 'webhooks:read', 'webhooks:write'];

  /** A client of a new API token. */
  async function token(limits: object = {}, scopes: readonly string[] = SCOPES) {
    const given = { name: `owner-${site.now}-${Math.random()}`, scopes, ...limits };
    const { id, token: secret } = await send('POST', '/api/v3/tokens', given);
    return { id, client: ApiClient.withToken(site.gateway.url, secret) };
  }

  it('decides about the rows: a limited one sends what it sees, and sees its own schedules only', async () => {
    const sales = await token({ departments: ['Sales'] }, DESK);
    const all = await add({ ...toWebhook(), report: 'technical', query: 'type=va' });
    const own = await add({ ...toWebhook(), report: 'technical' }, sales.client);
    expect((await sales.client.get(PATH)).items.map(({ id }: any) => id)).toEqual([own.id]);
    for (const [method, path] of [
      ['GET', all.id],
      ['DELETE', all.id],
      ['POST', `${all.id}/send`],
      ['GET', `${all.id}/deliveries`],
    ] as const) {
      expect((await sales.client.request(method, `${PATH}/${path}`)).status).toBe(404);
    }
    await nextHour();
    await Promise.all([settled(all.id), settled(own.id)]);
    const namesIn = (schedule: string) =>
      receiver.events
        .find(({ subject }) => subject === schedule)
        .data.findings.map(({ assetName }: any) => assetName)
        .sort();
    expect([...new Set(namesIn(all.id))]).toEqual(['web01', 'web02']);
    expect([...new Set(namesIn(own.id))]).toEqual(['web01']);
  });

  it('who sees more chooses the recipients again', async () => {
    const sales = await token({ departments: ['Sales'] }, DESK);
    const { id } = await add({ ...toWebhook(), report: 'technical' }, sales.client);
    const change = (given: object) =>
      site.client.request('PATCH', `${PATH}/${id}`, JSON.stringify({ enabled: false, ...given }));
    expect(await change({})).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^webhook must be given again/) },
    });
    expect(await sales.client.get(`${PATH}/${id}`)).toMatchObject({ enabled: true });
    expect(await change(toWebhook())).toMatchObject({ status: 200, body: { owner: 'admin' } });
  });

  it('who takes over a technical report from an owner that is gone chooses the recipients again', async () => {
    const sales = await token({ departments: ['Sales'] }, DESK);
    const { id } = await add({ ...toWebhook(), report: 'technical' }, sales.client);
    await send('DELETE', `/api/v3/tokens/${sales.id}`);
    const change = (given: object) =>
      site.client.request('PATCH', `${PATH}/${id}`, JSON.stringify({ enabled: true, ...given }));
    expect(await change({})).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^webhook must be given again.*removed or disabled/) },
    });
    expect(await change(toWebhook())).toMatchObject({ status: 200, body: { owner: 'admin' } });
  });

  it('cannot send the board report with limits', async () => {
    const sales = await token({ departments: ['Sales'] });
    const given = { name: 'x', report: 'board', cron: HOURLY, ...toWebhook() };
    const { status, body } = await sales.client.request('POST', PATH, JSON.stringify(given));
    expect([status, body.message]).toEqual([403, expect.stringContaining('board report')]);
  });

  it('needs the scopes of the report', async () => {
    const { client } = await token({}, DESK);
    const given = { name: 'x', report: 'board', cron: HOURLY, ...toWebhook() };
    const { status, body } = await client.request('POST', PATH, JSON.stringify(given));
    expect([status, body.message]).toEqual([403, expect.stringContaining('scores:read')]);
  });

  it.each<[string, RegExp, (id: string) => Promise<unknown>]>([
    ['is removed', /removed or disabled/, (id) => send('DELETE', `/api/v3/tokens/${id}`)],
    [
      'loses a scope',
      /scope webhooks:write/,
      (id) =>
        send('PATCH', `/api/v3/tokens/${id}`, { scopes: ['scores:read', 'findings:read', 'assets:read'] }),
    ],
    ['gets limits', /limited/, (id) => send('PATCH', `/api/v3/tokens/${id}`, { departments: ['Sales'] })],
  ])('that %s stops it, until another one takes it over', async (_, message, endAccess) => {
    const owner = await token();
    const { id } = await add(toWebhook(), owner.client);
    await endAccess(owner.id);
    await nextHour();
    await settled(id);
    expect(receiver.received).toEqual([]);
    const stopped = await scheduleOf(id);
    expect(stopped).toMatchObject({
      ...{ enabled: false, next: [], stopped: { reason: 'access', message: expect.stringMatching(message) } },
      last: [{ status: 'failed', answer: { message: expect.stringMatching(message) } }],
    });
    const taken = await send('PATCH', `${PATH}/${id}`, { enabled: true });
    expect(taken).toMatchObject({ enabled: true, stopped: null, owner: 'admin' });
    await nextHour();
    await until('the report', () => receiver.received.length === 1);
  });

  it('that another one replaces at the moment of the stop, sends the report of that time', async () => {
    const { pool } = site.gateway.database;
    const owner = await token();
    const { id } = await add(toWebhook(), owner.client);
    await send('DELETE', `/api/v3/tokens/${owner.id}`);
    // As if the change had come between the look at the rights and the stop.
    await pool.query(`
      create function unstopped() returns trigger language plpgsql as 'begin return null; end';
      create trigger unstopped before update on report_schedules for each row
        when (new.stopped is not null) execute function unstopped()`);
    await nextHour();
    await until('an attempt', async () => (await lastOf(id)).length === 1);
    await send('PATCH', `${PATH}/${id}`, { name: 'Taken over' });
    await settled(id);
    await pool.query('drop trigger unstopped on report_schedules; drop function unstopped');
    expect(await lastOf(id)).toMatchObject([{ status: 'sent' }]);
    expect(receiver.received).toHaveLength(1);
  });
});
