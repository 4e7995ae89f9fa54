import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from '../../../../test/fixtures/reports/mail-parts.ts';
import { MailServer } from '../../../../test/fixtures/tickets/mail-server.ts';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import type { NotificationDto } from './notification.dto.ts';

const PATH = '/api/v3/notifications';
const PREFERENCES = `${PATH}/preferences`;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const RECEIVER_URL = 'https://siem.example/in?token=never-to-be-sent';
const HOUR_MS = 3_600_000;

/** Ten in the morning, in UTC. Never set back: gateways look by it. */
let now = Date.parse('2026-03-02T10:00:00.000Z');
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;
let mail: MailServer;

beforeAll(async () => {
  mail = await MailServer.start();
  const options = {
    clock: () => now,
    env: { POSTURE_SECRET_KEY: 'the-secret-key-of-both-gateways-of-this-test' },
  };
  gateway = await StartedGateway.start({ ...options, folds: true });
  other = await StartedGateway.start({ ...options, beside: gateway });
  admin = await gateway.client('admin');
  await done('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
  for (const name of ['Sales', 'Finance'])
    await admin.request('POST', '/api/v3/company/departments', JSON.stringify({ name }));
}, 60_000);
afterAll(async () => {
  await mail.close();
  await other.stop();
  await gateway.stop();
});
afterEach(async () => {
  now = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS + 10 * HOUR_MS;
  admin = await gateway.client('admin');
  await query(
    `delete from notification_people; delete from notification_settings; delete from notified_problems;
     delete from syncs; delete from webhooks; delete from report_schedules;
     delete from credentials where username not in ('admin', 'analyst', 'viewer')`,
  );
  for (const { id } of await admin.all('/integrations')) await done('DELETE', `/integrations/${id}`);
  mail.mails.length = 0;
});

const query = async (text: string, values?: unknown[]) =>
  (await gateway.database.pool.query(text, values)).rows;
async function done(method: string, path: string, given?: object, client = admin) {
  const { status, body } = await client.request(method, path, given && JSON.stringify(given));
  expect({ path, status, body }).toMatchObject({ status: 200 });
  return body;
}
const listOf = async (client = admin): Promise<NotificationDto[]> => (await client.get(PATH)).items;
const kindsOf = async (client = admin) => (await listOf(client)).map(({ kind }) => kind);

/** Both gateways have looked at what is there now. */
async function looked(): Promise<void> {
  now += 31_000;
  const at = now;
  // A look writes nothing if nothing has changed: a webhook that is removed at once shows that one has been completed.
  const [{ id }] = await query(
    `insert into webhooks (id, url, topics, secret, enabled, paused, position, created_at, updated_at)
     values (gen_random_uuid(), 'https://look.example', '{}', '', false, $1, '', now(), now()) returning id`,
    [JSON.stringify({ reason: 'gone', message: 'look', at: at - 8 * DAY_MS })],
  );
  const isKnown = async () =>
    (await query('select from notified_problems where subject_id = $1', [id])).length > 0;
  await until('a look', isKnown);
  await query('delete from webhooks where id = $1', [id]);
  now += 31_000;
  await until('another look', async () => !(await isKnown()));
}

async function integration(name = 'EDR'): Promise<string> {
  const config = { url: 'https://edr.example', clientId: 'c', clientSecret: 's' };
  return (await done('POST', '/integration', { type: 'edrplugin', subType: 'falcon', name, config })).id;
}

/** A sync that has ended, as a collector writes it. */
async function synced(integrationId: string, given: object = {}): Promise<void> {
  now += 60_000;
  const row = {
    ...{ id: randomUUID(), integration_id: integrationId, action: 'scheduled', is_full: false, retry: 0 },
    ...{ requested_at: new Date(now - 1_000), finished_at: new Date(now), stage: 'COMPLETED', status: 0 },
    ...{ errors: '[]', end_reason: null },
    ...given,
  };
  const columns = Object.keys(row);
  await query(
    `insert into syncs (${columns}) values (${columns.map((_, i) => `$${i + 1}`)})`,
    Object.values(row),
  );
}
const FAILED = {
  ...{ stage: 'ERROR', status: 2 },
  errors: JSON.stringify([{ what: 'token', message: 'the credentials were refused' }]),
};

async function webhook(given: { departments?: string[]; paused?: object | null } = {}): Promise<string> {
  const body = { url: RECEIVER_URL, topics: ['findings'], departments: given.departments };
  const { webhook: added, id = added?.id } = await done('POST', '/api/v3/webhooks', body);
  return id;
}
const pause = (id: string, reason: string, message = 'the receiver responded with 410') =>
  query('update webhooks set enabled = false, paused = $2 where id = $1', [
    id,
    JSON.stringify({ reason, message, at: now }),
  ]);

const schedule = async (client = admin, report = 'board'): Promise<string> =>
  (
    await done(
      'POST',
      '/api/v3/report-schedules',
      {
        ...{ name: 'Weekly', report, cron: '0 8 * * 1', timeZone: 'UTC' },
        email: { url: mail.url(), from: 'risk@example.com', to: ['board@example.com'] },
      },
      client,
    )
  ).id;
const failed = async (scheduleId: string, message = 'the mailbox is full') => {
  now += 60_000;
  await query(
    `insert into report_deliveries (id, schedule_id, channel, at, cause, status, created_at, finished_at, answer)
     values (gen_random_uuid(), $1, 'email', $2, 'schedule', 'failed', $2, $2, $3)`,
    [scheduleId, new Date(now), JSON.stringify({ status: null, message, ms: 1 })],
  );
};

async function person(username: string, given: object): Promise<ApiClient> {
  const { password } = await done('POST', '/api/v3/credentials', { username, ...given });
  return ApiClient.signIn(gateway.url, { username, password });
}

describe('syncs (R-NOTE-9)', () => {
  it('notify once when they begin to fail, and once when they work again', async () => {
    const id = await integration();
    await synced(id);
    await synced(id, FAILED);
    await looked();
    expect(await listOf()).toEqual([
      {
        ...{ id: expect.any(String), kind: 'syncFailed', at: expect.any(String), by: null, findingCount: 0 },
        ...{ findings: [], readAt: null },
        subject: { type: 'integration', id, name: 'EDR', reason: 'the credentials were refused' },
      },
    ]);
    for (const retry of [1, 2, 3]) await synced(id, { ...FAILED, retry });
    await synced(id, { ...FAILED, action: 'manual' });
    await looked();
    expect(await kindsOf()).toEqual(['syncFailed']);
    await synced(id, { status: 3 });
    await looked();
    expect(await kindsOf()).toEqual(['syncRecovered', 'syncFailed']);
    expect((await listOf()).map(({ subject }) => subject!.reason)).toEqual([null, null]);
    await synced(id, FAILED);
    await looked();
    expect(await kindsOf()).toEqual(['syncFailed', 'syncRecovered', 'syncFailed']);
  });

  it('do not notify if they were cancelled, or interrupted and repeated', async () => {
    const id = await integration();
    await synced(id);
    await synced(id, { ...FAILED, end_reason: 'cancelled' });
    await synced(id, { ...FAILED, end_reason: 'interrupted' });
    await looked();
    expect(await listOf()).toEqual([]);
    await synced(id, { ...FAILED, end_reason: 'interrupted', retry: 1 });
    await looked();
    expect(await kindsOf()).toEqual(['syncFailed']);
  });

  it('notify nobody of a failure of more than a week ago, and not of a removed integration', async () => {
    const id = await integration();
    await synced(id, FAILED);
    now += 8 * DAY_MS;
    admin = await gateway.client('admin');
    await looked();
    expect(await listOf()).toEqual([]);
    const second = await integration('Second');
    await synced(second, FAILED);
    await looked();
    expect((await listOf()).map(({ subject }) => subject!.name)).toEqual(['Second']);
    await done('DELETE', `/integrations/${second}`);
    await looked();
    expect(await listOf()).toEqual([]);
    expect(await admin.get(`${PATH}/unread`)).toEqual({ unread: 0 });
  });
});

describe('webhooks and report schedules (R-NOTE-9)', () => {
  it('notify when the service has stopped them, and not when a user or a restore has', async () => {
    const [stopped, paused, restored] = [await webhook(), await webhook(), await webhook()];
    await pause(stopped, 'gone');
    await pause(paused, 'user');
    await pause(restored, 'restored');
    await looked();
    expect((await listOf()).map(({ kind, subject }) => [kind, subject])).toEqual([
      [
        'webhookStopped',
        {
          ...{ type: 'webhook', id: stopped, name: RECEIVER_URL },
          reason: 'the receiver responded with 410',
        },
      ],
    ]);
    await done('POST', `/api/v3/webhooks/${stopped}/resume`);
    await looked();
    expect((await listOf())[0]!.subject!.reason).toBeNull();
    await pause(stopped, 'exhausted');
    await looked();
    expect(await kindsOf()).toEqual(['webhookStopped', 'webhookStopped']);
  });

  it('notify of reports that were not sent, twice a day at most, until a user changes the schedule', async () => {
    const id = await schedule();
    await failed(id);
    await looked();
    expect((await listOf())[0]).toMatchObject({
      kind: 'reportFailed',
      subject: { type: 'reportSchedule', id, name: 'Weekly', reason: 'the mailbox is full' },
    });
    await failed(id);
    await looked();
    expect(await kindsOf()).toEqual(['reportFailed']);
    now += DAY_MS / 2;
    admin = await gateway.client('admin');
    await failed(id);
    await looked();
    expect(await kindsOf()).toEqual(['reportFailed', 'reportFailed']);
    await done('PATCH', `/api/v3/report-schedules/${id}`, { name: 'Changed' });
    await looked();
    expect(await query('select from notified_problems')).toEqual([]);
  });

  it('notify that a schedule was stopped, and not also of the reports that ended with it', async () => {
    const id = await schedule();
    await failed(id, 'its owner was removed');
    const stop = { reason: 'access', message: 'its owner was removed', at: now };
    await query('update report_schedules set enabled = false, stopped = $2 where id = $1', [
      id,
      JSON.stringify(stop),
    ]);
    await looked();
    expect((await listOf()).map(({ kind, subject }) => [kind, subject!.reason])).toEqual([
      ['scheduleStopped', 'its owner was removed'],
    ]);
  });
});

describe('who is notified of problems (R-NOTE-9)', () => {
  it('are those with the scope, when it is written, read and sent', async () => {
    await done('PATCH', '/api/v3/notification-settings', {
      email: { url: mail.url(), from: 'risk@example.com', domains: ['example.com'] },
    });
    const [second, viewer] = [await person('second', { role: 'admin' }), await gateway.client('viewer')];
    const daily = { channel: 'email', schedule: 'daily', dailyAt: '12:00' };
    await done('PATCH', PREFERENCES, { ...daily, address: 'ad@example.com' });
    await done('PATCH', PREFERENCES, { ...daily, address: 'se@example.com' }, second);
    await viewer.get(PREFERENCES);
    await synced(await integration(), FAILED);
    await pause(await webhook(), 'gone');
    await looked();
    expect([(await kindsOf()).sort(), await kindsOf(viewer)]).toEqual([['syncFailed', 'webhookStopped'], []]);
    const [{ count }] = await query('select count(*)::int as count from notifications');
    expect(count).toBe(4);
    // Before its message is sent.
    await query(`update credentials set role = 'viewer' where username = 'second'`);
    const was = await ApiClient.signIn(gateway.url, {
      username: 'second',
      password: (await done('POST', `/api/v3/credentials/${await idOf('second')}/rotate`)).password,
    });
    expect([await listOf(was), await was.get(`${PATH}/unread`)]).toEqual([[], { unread: 0 }]);
    expect(mail.mails).toEqual([]);
    now = Math.floor(now / DAY_MS) * DAY_MS + 12 * HOUR_MS;
    // Time passes meanwhile: an attempt that a busy machine interrupts is repeated a minute later.
    await until('a message', () => {
      now += MINUTE_MS;
      return mail.mails.length > 0;
    });
    await until('the other is skipped', async () => {
      now += MINUTE_MS;
      return (await query(`select from notification_messages where status = 'skipped'`)).length === 1;
    });
    expect(mail.mails).toMatchObject([{ to: ['ad@example.com'] }]);
    const text = textOf(mail.mails[0]!.text);
    expect(text).toContain('The sync of EDR fails: the credentials were refused');
    expect(text).toContain(
      'The webhook to https://siem.example was stopped: the receiver responded with 410',
    );
    expect(mail.mails[0]!.text).not.toContain('token');
  });

  it('are not those who see other rows only', async () => {
    const limited = await person('limited', { role: 'admin', departments: ['Sales'] });
    await synced(await integration(), FAILED);
    await pause(await webhook(), 'gone');
    const within = await webhook({ departments: ['Sales'] });
    await pause(within, 'gone');
    await pause(await webhook({ departments: ['Finance'] }), 'gone');
    await failed(await schedule());
    const own = await schedule(limited, 'technical');
    await failed(own);
    await looked();
    expect((await listOf(limited)).map(({ subject }) => subject!.id).sort()).toEqual([within, own].sort());
    expect(await listOf()).toHaveLength(6);
  });

  it('read of a gap what the page of the webhook shows them', async () => {
    const limited = await person('limited', { role: 'admin', departments: ['Sales'] });
    const id = await webhook({ departments: ['Sales'] });
    const message = 'finding_history of partition 1 continues at 3, but 2 is next';
    await pause(id, 'gap', message);
    await looked();
    const reasonFor = async (client: ApiClient) => {
      const { paused } = await client.get(`/api/v3/webhooks/${id}`);
      expect((await listOf(client))[0]!.subject!.reason).toBe(paused.message);
      return paused.message;
    };
    expect(await reasonFor(admin)).toBe(message);
    expect(await reasonFor(limited)).toBe('changes after the position are missing');
  });

  it('are not those who have switched it off', async () => {
    await done('PATCH', PREFERENCES, { kinds: ['webhookStopped'] });
    const id = await integration();
    await synced(id, FAILED);
    await pause(await webhook(), 'gone');
    await looked();
    expect(await kindsOf()).toEqual(['webhookStopped']);
  });
});

const idOf = async (username: string): Promise<string> =>
  (await query('select id from credentials where username = $1', [username]))[0].id;

describe('problems are written once (R-NOTE-9)', () => {
  it('by two gateways that look at the same time', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(integration));
    for (const id of ids) await synced(id, FAILED);
    await looked();
    const written = (await listOf()).map(({ subject }) => subject!.id);
    expect(written.sort()).toEqual(ids.sort());
  });

  it('after an end before the commit, and again if what was notified is lost', async () => {
    const holder = await gateway.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('notified problems', 0))`);
      await synced(await integration(), FAILED);
      now += 31_000;
      // A gateway that is killed in its transaction leaves nothing.
      await holder.query(
        `insert into notified_problems values ('syncFailed', gen_random_uuid(), 'x', now())`,
      );
      expect(await listOf()).toEqual([]);
      await holder.query('rollback');
    } finally {
      holder.release();
    }
    await looked();
    expect(await kindsOf()).toEqual(['syncFailed']);
    await done('POST', `${PATH}/read`, {});
    await query('delete from notified_problems');
    await looked();
    expect(await kindsOf()).toEqual(['syncFailed']);
    expect(await admin.get(`${PATH}/unread`)).toEqual({ unread: 0 });
  });
});
