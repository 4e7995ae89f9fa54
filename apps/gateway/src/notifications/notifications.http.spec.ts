import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ALL_ROWS } from '#libs/tables';
import { notificationAddressPlace, notificationSettingsPlace, Vault } from '#libs/vault';
import { textOf } from '../../../../test/fixtures/reports/mail-parts.ts';
import { MailServer } from '../../../../test/fixtures/tickets/mail-server.ts';
import { ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { seenStatements } from '../../../../test/support/seen-statements.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { WebhookReceiver } from '../../../../test/support/webhook-receiver.ts';
import { AcceptancesRepository } from './acceptances.repository.ts';
import { DueLooks } from './due-looks.service.ts';
import type { NotificationDto } from './notification.dto.ts';
import { NotificationsRepository } from './notifications.repository.ts';

const PATH = '/api/v3/notifications';
const PREFERENCES = `${PATH}/preferences`;
const SETTINGS = '/api/v3/notification-settings';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGIN = Date.parse('2026-03-02T10:00:00.000Z');

let now = BEGIN;
let gateway: StartedGateway;
let admin: ApiClient;
let analyst: ApiClient;
let viewer: ApiClient;
let mail: MailServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [mail, receiver] = await Promise.all([MailServer.start(), WebhookReceiver.start()]);
  gateway = await StartedGateway.start({
    ...{ folds: true, clock: () => now },
    env: { PUBLIC_URL: 'https://risk.example.com' },
  });
  await signIn();
  await done('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
});
afterAll(async () => {
  receiver.close();
  await mail.close();
  await gateway.stop();
});
afterEach(async () => {
  await gateway.database.pool.query('delete from notification_people; delete from notification_settings');
  mail.mails.length = 0;
  mail.rejected.clear();
  receiver.received.length = 0;
});

/** Tokens last an hour. */
async function signIn(): Promise<void> {
  [admin, analyst, viewer] = await Promise.all([
    gateway.client('admin'),
    gateway.client('analyst'),
    gateway.client('viewer'),
  ]);
}

const ask = (method: string, path: string, given: object | undefined, client: ApiClient) =>
  client.request(method, path, given && JSON.stringify(given));
async function done(method: string, path: string, given?: object, client = admin) {
  const { status, body } = await ask(method, path, given, client);
  expect({ path, status, body }).toMatchObject({ status: 200 });
  return body;
}

let count = 0;
/** New findings on separate hosts. */
async function findings(size = 1, entityAttributes: object = {}, severity = 7.5) {
  const hosts = Array.from({ length: size }, (_, i) => `host${count + i}`);
  count += size;
  const entries = hosts.map((host) => {
    const signal = plainSignal(`weak ${host}`, host);
    const securityContext = { ...signal.securityContext, severity: { type: 'cvss', value: severity } };
    return [`${host}.json`, { ...signal, securityContext, entity: { ...signal.entity, entityAttributes } }];
  });
  const { body } = await analyst.zip(await zipOf(Object.fromEntries(entries)));
  await analyst.folded(body.uploadId);
  const found = await Promise.all(
    hosts.map((host) => analyst.get(`/api/v3/findings?name=weak%20${host}&limit=1`)),
  );
  return found.map(({ items: [item] }) => item);
}

const act = (id: string, name: string, given: object, client = analyst) =>
  done('POST', `/api/v3/findings/${id}/${name}`, given, client);
const mention = (id: string, name: string, client = analyst) =>
  act(id, 'comments', { text: `please look, @${name}` }, client);
const assign = (id: string, assignee: object | null, client = analyst) =>
  act(id, 'assign', { assignee }, client);
const listOf = async (client: ApiClient, query = ''): Promise<NotificationDto[]> =>
  (await client.get(`${PATH}${query}`)).items;
const notified = (client: ApiClient, size: number) =>
  until(`${size} notifications`, async () => (await listOf(client)).length === size);
/** Whatever was acted on has been looked at. */
const settled = () =>
  until('everything has been looked at', async () => {
    const { rows } = await gateway.database.pool.query(
      `select exists (select from acts a left join notification_positions n using (partition)
        where a.log_offset > coalesce(n.log_offset, -1)) as is_behind`,
    );
    return !rows[0].is_behind;
  });

describe('an idle gateway', () => {
  it('asks for acts and messages when something is due, and not every two seconds', async () => {
    const { texts, end } = seenStatements(gateway.database);
    const sinceLook = () => texts.slice(texts.findLastIndex((text) => text.includes('notification_')) + 1);
    try {
      // A gateway reads the version of the settings once a second, and looks after half a minute at the latest.
      await until(
        'six seconds without a look',
        () => sinceLook().filter((text) => text.includes('from "organization"')).length >= 6,
        25_000,
      );
    } finally {
      end();
    }
  });
});

describe('notifications of acts (R-NOTE-1, R-NOTE-2)', () => {
  it('tell who mentioned, assigned and commented, and of what, newest first', async () => {
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await assign(finding.id, { type: 'user', name: 'viewer' });
    await act(finding.id, 'comments', { text: 'patched' });
    await notified(viewer, 3);
    const list = await listOf(viewer);
    expect(list.map(({ kind }) => kind).sort()).toEqual(['assigned', 'commented', 'mentioned']);
    for (const one of list) {
      expect(one).toEqual({
        ...{
          id: expect.any(String),
          kind: expect.any(String),
          at: '2026-03-02T10:00:00.000Z',
          by: 'analyst',
        },
        ...{ findingCount: 1, subject: null, readAt: null },
        findings: [{ id: finding.id, name: finding.name, assetName: finding.assetName }],
      });
    }
    expect(await listOf(analyst)).toEqual([]);
    expect((await viewer.get(`${PATH}/unread`)).unread).toBe(3);
    const page = await viewer.get(`${PATH}?limit=2`);
    const rest = await viewer.get(`${PATH}?limit=2&cursor=${page.nextCursor}`);
    expect([...page.items, ...rest.items]).toEqual(list);
  });

  it('are not written for own acts, and not for refused ones', async () => {
    const [finding] = await findings();
    await assign(finding.id, { type: 'user', name: 'analyst' });
    await mention(finding.id, 'analyst');
    expect(
      (
        await ask(
          'POST',
          `/api/v3/findings/${finding.id}/assign`,
          {
            ...{ assignee: { type: 'user', name: 'viewer' }, version: 1 },
          },
          analyst,
        )
      ).status,
    ).toBe(409);
    await settled();
    expect([await listOf(analyst), await listOf(viewer)]).toEqual([[], []]);
  });

  it('of a bulk act are one', async () => {
    const found = await findings(25);
    await done(
      'POST',
      '/api/v3/findings/acts',
      {
        ids: found.map(({ id }) => id),
        assign: { assignee: { type: 'user', name: 'viewer' } },
      },
      analyst,
    );
    await settled();
    const [one, ...others] = await listOf(viewer);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ kind: 'assigned', findingCount: 25 });
    expect(one!.findings).toHaveLength(20);
  });

  it('of separate requests are separate, also if they have the same X-Request-Id', async () => {
    const found = await findings(3);
    const before = now;
    const assignAs = (client: ApiClient, { id }: { id: string }) =>
      client.request(
        'POST',
        `/api/v3/findings/${id}/assign`,
        JSON.stringify({ assignee: { type: 'user', name: 'viewer' } }),
        { 'x-request-id': 'a-fixed-id' },
      );
    expect((await assignAs(analyst, found[0])).status).toBe(200);
    expect((await assignAs(admin, found[1])).status).toBe(200);
    now += 60_000;
    expect((await assignAs(analyst, found[2])).status).toBe(200);
    await settled();
    const listed = (await listOf(viewer)).map(({ by, at, findingCount }) => [
      by,
      Date.parse(at),
      findingCount,
    ]);
    expect(listed).toHaveLength(3);
    expect(listed).toEqual(
      expect.arrayContaining([
        ['analyst', before, 1],
        ['admin', before, 1],
        ['analyst', now, 1],
      ]),
    );
    now = before;
  });

  it('reach those who follow the team, and the owner by a rule', async () => {
    await done('PATCH', PREFERENCES, { teams: ['blue'] }, viewer);
    const [first, second] = await findings(2);
    await assign(first.id, { type: 'team', name: 'blue' });
    await notified(viewer, 1);
    await done('POST', '/api/v3/owner-rules', { rules: [{ owner: { type: 'user', name: 'viewer' } }] });
    await act(second.id, 'comments', { text: 'seen' });
    await notified(viewer, 2);
    expect((await listOf(viewer)).map(({ kind }) => kind).sort()).toEqual(['assigned', 'commented']);
    await done('POST', '/api/v3/owner-rules', { rules: [] });
  });

  it('can be switched off by kind', async () => {
    await done('PATCH', PREFERENCES, { kinds: ['assigned'] }, viewer);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await assign(finding.id, { type: 'user', name: 'viewer' });
    await notified(viewer, 1);
    expect((await listOf(viewer))[0]!.kind).toBe('assigned');
  });

  it('of old acts are not written, as of a log that was moved here', async () => {
    const [finding] = await findings();
    const before = now;
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    now += 8 * DAY_MS;
    await gateway.database.pool.query('delete from notifications; delete from notification_positions');
    await until('everything was read again', async () => {
      const { rows } = await gateway.database.pool.query(
        'select count(*)::int as count from notification_positions',
      );
      return rows[0].count > 0;
    });
    await settled();
    now = before;
    expect(await listOf(viewer)).toEqual([]);
  });
});

describe('many acts and failures', () => {
  it('thousands of notifications are written at once', async () => {
    const ids = await Promise.all(
      (['admin', 'analyst', 'viewer'] as const).map(async (role) => (await credentialOf(role)).id),
    );
    for (const client of [admin, analyst, viewer]) await client.get(PREFERENCES);
    const some = ids.flatMap((personId: string) =>
      Array.from({ length: 2_700 }, (_, i) => ({
        ...{ personId, key: `k${i}`, kind: 'mentioned' as const, at: now + i, by: 'somebody' },
        ...{ findings: 1, findingIds: [NOBODY] },
      })),
    );
    await new NotificationsRepository(gateway.database.db).add(some, new Set());
    const { rows } = await gateway.database.pool.query(
      'select count(*)::int as count, min(at) as oldest from notifications group by person_id',
    );
    expect(rows).toEqual(ids.map(() => ({ count: 1_000, oldest: now + 1_700 })));
  });

  it('a partition or a person that fails keeps no other waiting', async () => {
    const { pool } = gateway.database;
    const [due, broken, ...others] = await findings(16);
    const before = now;
    await assign(due.id, { type: 'user', name: 'viewer' });
    await act(due.id, 'due', { due: new Date(now + 3_600_000).toISOString(), reason: 'x' });
    await act(broken.id, 'comments', { text: 'x' });
    await notified(viewer, 1);
    await settled();
    for (const client of [admin, analyst, viewer]) await client.get(PREFERENCES);
    // Detail that no reader understands, read again; and a person without a time zone, whose turn is first.
    const { rows } = await pool.query(
      `with broken as (
         update acts set detail = '{"mentions": 5}' where target = $1 returning partition, log_offset)
       update notification_positions n set log_offset = b.log_offset - 1
         from broken b where n.partition = b.partition returning n.partition`,
      [broken.id],
    );
    await pool.query(
      `update notification_people set time_zone = 'Nowhere', next_check_at = next_check_at - interval '1 hour'
        where person_id = (select id from credentials where username = 'analyst')`,
    );
    try {
      for (const { id } of others) await mention(id, 'viewer');
      now += DAY_MS;
      await signIn();
      await until('the look of the viewer', async () =>
        (await listOf(viewer)).some(({ kind }) => kind === 'overdue'),
      );
      const { rows: behind } = await pool.query(
        `select distinct a.partition from acts a join notification_positions n using (partition)
          where a.log_offset > n.log_offset`,
      );
      expect(behind).toEqual(rows);
    } finally {
      await pool.query(`update acts set detail = '{}' where target = $1`, [broken.id]);
    }
    await settled();
    now = before;
    await signIn();
  });
});

describe('notifications are read (R-NOTE-3)', () => {
  it('one by one, all up to a time, and again', async () => {
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    const first = (await listOf(viewer))[0]!;
    now += 1_000;
    await mention(finding.id, 'viewer');
    await notified(viewer, 2);
    expect((await done('PATCH', `${PATH}/${first.id}`, { read: true }, viewer)).readAt).toBe(
      '2026-03-02T10:00:01.000Z',
    );
    expect((await listOf(viewer, '?unread=true')).map(({ id }) => id)).not.toContain(first.id);
    expect((await done('PATCH', `${PATH}/${first.id}`, { read: false }, viewer)).readAt).toBeNull();
    expect(await done('POST', `${PATH}/read`, { until: first.at }, viewer)).toEqual({ unread: 1 });
    expect(await done('POST', `${PATH}/read`, {}, viewer)).toEqual({ unread: 0 });
    expect(await listOf(viewer)).toHaveLength(2);
  });

  it('by their person only', async () => {
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    const { id } = (await listOf(viewer))[0]!;
    expect((await ask('PATCH', `${PATH}/${id}`, { read: true }, analyst)).status).toBe(404);
    expect((await ask('PATCH', `${PATH}/${NOBODY}`, { read: true }, viewer)).status).toBe(404);
    await done('POST', `${PATH}/read`, {}, analyst);
    expect((await viewer.get(`${PATH}/unread`)).unread).toBe(1);
  });

  it('not by API tokens', async () => {
    const { token } = await done('POST', '/api/v3/tokens', {
      name: `reader-${count}`,
      scopes: ['findings:read'],
    });
    const answer = await fetch(`${gateway.url}${PATH}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(403);
  });

  it('1,000 are kept of a person', async () => {
    const { rows } = await gateway.database.pool.query(
      `select id from credentials where username = 'viewer'`,
    );
    await viewer.get(PREFERENCES);
    await gateway.database.pool.query(
      `insert into notifications (id, person_id, key, kind, at, findings, finding_ids, is_to_send)
       select gen_random_uuid(), $1, 'k' || i, 'mentioned', '2026-03-01T00:00:00Z', 1, '{}', false
         from generate_series(1, 1000) i`,
      [rows[0].id],
    );
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await until('the newest', async () => (await listOf(viewer, '?limit=1'))[0]!.at > '2026-03-02');
    const { rows: kept } = await gateway.database.pool.query(
      'select count(*)::int as count from notifications',
    );
    expect(kept[0].count).toBe(1_000);
    expect((await viewer.get(`${PATH}/unread`)).unread).toBe(100);
  });
});

describe('the rows that a person may see (R-NOTE-4)', () => {
  it('decide when a notification is written, and when it is read', async () => {
    for (const name of ['Sales', 'Finance'])
      await ask('POST', '/api/v3/company/departments', { name }, admin);
    const given = { username: `limited-${count}`, role: 'viewer', departments: ['Sales'] };
    const { password } = await done('POST', '/api/v3/credentials', given);
    const limited = await ApiClient.signIn(gateway.url, { username: given.username, password });
    const [hidden] = await findings(1, { department: 'Finance' });
    const [shown] = await findings(1, { department: 'Sales' });
    await mention(hidden.id, given.username);
    await mention(shown.id, given.username);
    await notified(limited, 1);
    expect((await listOf(limited))[0]!.findings).toMatchObject([{ id: shown.id }]);
    await gateway.database.pool.query(`update assets set department = 'Moved' where name = $1`, [
      shown.assetName,
    ]);
    expect(await listOf(limited)).toEqual([]);
    expect(await limited.get(`${PATH}/unread`)).toEqual({ unread: 0 });
    await done('DELETE', `/api/v3/credentials/${(await credentialOf(given.username)).id}`);
    const { rows } = await gateway.database.pool.query('select from notifications');
    expect(rows).toEqual([]);
  });
});

it('reach people whose names are sealed, and store no name in the clear (R-NOTE-4)', async () => {
  const sealing = await StartedGateway.start({
    ...{ folds: true, clock: () => now, env: { SEAL_PERSONAL_TEXTS: 'true' } },
  });
  try {
    const [by, of] = [await sealing.client('analyst'), await sealing.client('viewer')];
    const { body } = await by.zip(await zipOf({ 'a.json': plainSignal('weak', 'web01') }));
    await by.folded(body.uploadId);
    const [{ id }] = (await by.get('/api/v3/findings')).items;
    await done('POST', `/api/v3/findings/${id}/comments`, { text: 'see, @viewer' }, by);
    await done('POST', `/api/v3/findings/${id}/assign`, { assignee: { type: 'user', name: 'viewer' } }, by);
    await done('POST', `/api/v3/findings/${id}/comments`, { text: 'mine' }, by);
    await notified(of, 3);
    expect((await listOf(of)).map((one) => one.by)).toEqual(['analyst', 'analyst', 'analyst']);
    const { rows } = await sealing.database.pool.query('select by_user from notifications');
    expect(JSON.stringify(rows)).not.toContain('analyst');
  } finally {
    await sealing.stop();
  }
});

const credentialOf = async (username: string) =>
  (await admin.all('/api/v3/credentials')).find((one) => one.username === username);

describe('due dates and acceptances (R-NOTE-5)', () => {
  it('notify once a day of what has come since', async () => {
    const [overdue, soon, later, accepted] = await findings(4);
    for (const one of [overdue, soon, later]) await assign(one.id, { type: 'user', name: 'viewer' });
    await act(overdue.id, 'due', { due: new Date(now + 2 * 3_600_000).toISOString(), reason: 'x' });
    await act(soon.id, 'due', { due: new Date(now + 7.5 * DAY_MS).toISOString(), reason: 'x' });
    await act(later.id, 'due', { due: new Date(now + 60 * DAY_MS).toISOString(), reason: 'x' });
    const until8 = new Date(now + 7.7 * DAY_MS).toISOString();
    await act(accepted.id, 'accept', { rationale: 'x', until: until8 });
    await notified(viewer, 3);
    await viewer.get(PREFERENCES);
    now += DAY_MS;
    await signIn();
    await notified(viewer, 5);
    const found = (await listOf(viewer)).filter(({ by }) => by === null);
    expect(found.map(({ kind, findings: [one] }) => [kind, one!.id]).sort()).toEqual([
      ['dueSoon', soon.id],
      ['overdue', overdue.id],
    ]);
    await notified(analyst, 1);
    expect(await listOf(analyst)).toMatchObject([
      { kind: 'acceptanceEnding', findings: [{ id: accepted.id }] },
    ]);
    now += DAY_MS;
    await signIn();
    await looked();
    expect([(await listOf(viewer)).length, (await listOf(analyst)).length]).toEqual([5, 1]);
    now = BEGIN + 2 * DAY_MS;
  });

  it('notify of a due date that moves into the past, and of an acceptance that ends before the next week, once', async () => {
    // The only critical one, whatever else is assigned.
    const [moved] = await findings(1, {}, 9.5);
    const [accepted] = await findings();
    await assign(moved.id, { type: 'user', name: 'viewer' });
    await notified(viewer, 1);
    await viewer.get(PREFERENCES);
    await daysPass(2);
    const until2 = new Date(now + 2 * DAY_MS).toISOString();
    await act(accepted.id, 'accept', { rationale: 'x', until: until2 });
    // Due a day after it was first seen, which is before the last look.
    await done('PATCH', '/api/v3/settings', { sla: { severity: { critical: 1 } } });
    try {
      for (const _ of [1, 2]) {
        await daysPass(1);
        const [mine] = await listOf(viewer, '?limit=1');
        expect(mine).toMatchObject({ kind: 'overdue', findings: [{ id: moved.id }], by: null });
        expect(await listOf(analyst)).toMatchObject([
          { kind: 'acceptanceEnding', findings: [{ id: accepted.id }] },
        ]);
        expect(await listOf(viewer)).toHaveLength(2);
      }
    } finally {
      await done('PATCH', '/api/v3/settings', { sla: null });
    }
    now = BEGIN + 2 * DAY_MS;
    await signIn();
  });

  it('are looked at again at once, if preferences are saved during the look', async () => {
    const stored = async () => {
      const { rows } = await gateway.database.pool.query(
        `select checked_through, next_check_at,
                (select count(*)::int from notified_findings f where f.person_id = n.person_id) as looks
           from notification_people n where person_id = (select id from credentials where username = 'viewer')`,
      );
      return rows[0];
    };
    await done('PATCH', PREFERENCES, { teams: ['a'] }, viewer);
    const { look } = DueLooks.prototype;
    let saved: object | undefined;
    let beforeSecond: object | undefined;
    const looks = jest.spyOn(DueLooks.prototype, 'look').mockImplementation(async function (
      this: DueLooks,
      ...given
    ) {
      if (given[1].teams.length === 2) beforeSecond ??= await stored();
      const found = await look.apply(this, given);
      if (given[1].teams.length !== 1) return found;
      const person = await gateway.client('viewer');
      await done('PATCH', PREFERENCES, { teams: ['a', 'b'], dailyAt: '17:00' }, person);
      saved = await stored();
      return found;
    });
    try {
      for (const client of [admin, analyst]) await client.get(PREFERENCES);
      await gateway.database.pool.query(
        `update notification_people set next_check_at = next_check_at - interval '1 hour'
          where person_id = (select id from credentials where username = 'viewer')`,
      );
      now += DAY_MS;
      await signIn();
      await until('the second look', async () => Number((await stored()).checked_through) === now);
      expect(beforeSecond).toEqual(saved);
    } finally {
      looks.mockRestore();
      now -= DAY_MS;
      await signIn();
    }
  });

  it('are acceptances with the latest ends, of which there are more than a look reads', async () => {
    const accepted = await findings(3);
    const ends = [20, 21, 22].map((days) => now + days * DAY_MS);
    for (const [i, { id }] of accepted.entries()) {
      await act(id, 'accept', { rationale: 'x', until: new Date(ends[i]!).toISOString() });
    }
    const whose = { names: ['analyst'], assignee: { keys: [], rules: [] }, rows: ALL_ROWS };
    const found = await new AcceptancesRepository(gateway.database.db).ending(
      [ends[0]! - 1, ends[2]!],
      whose,
      2,
    );
    expect(found).toEqual([2, 1].map((i) => ({ id: accepted[i].id, at: ends[i] })));
  });

  it('are looked at once a day by a site that was restored, whose times have microseconds', async () => {
    const [finding] = await findings();
    await viewer.get(PREFERENCES);
    await gateway.database.pool.query(
      `update notification_people set checked_through = checked_through + interval '123 microseconds'`,
    );
    await daysPass(1);
    await assign(finding.id, { type: 'user', name: 'viewer' });
    await notified(viewer, 1);
    now = BEGIN + 2 * DAY_MS;
    await signIn();
  });

  const looked = () =>
    until('another look', async () => {
      const { rows } = await gateway.database.pool.query(
        'select min(checked_through) as least from notification_people',
      );
      return Number(rows[0].least) === now;
    });
  const daysPass = async (days: number) => {
    now += days * DAY_MS;
    await signIn();
    await looked();
  };
});

/** 10:00 in UTC. */
const atTenNextDay = () => (Math.floor(now / DAY_MS) + 1) * DAY_MS + 10 * HOUR_MS;
const actsOn = async (wanted: string) =>
  (await admin.all('/api/v3/audit')).filter(({ target }) => target === wanted);
const byMail = (given: object = {}) => ({
  email: { url: mail.url(), from: 'risk@example.com', domains: ['example.com'], ...given },
});
/** Gathering is over. */
const passGathering = () => {
  now += 31_000;
};

describe('messages (R-NOTE-6, R-NOTE-7)', () => {
  it('go to the address of the person, once, with a link', async () => {
    await done('PATCH', SETTINGS, byMail());
    const { offered } = await done(
      'PATCH',
      PREFERENCES,
      { channel: 'email', address: 'vi@example.com' },
      viewer,
    );
    expect(offered).toEqual(['email']);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await assign(finding.id, { type: 'user', name: 'viewer' });
    await notified(viewer, 2);
    expect((await viewer.get(PREFERENCES)).nextMessageAt).toBe(new Date(now + 30_000).toISOString());
    passGathering();
    await until('a message', () => mail.mails.length === 1);
    const [{ from, to, text }] = mail.mails as [(typeof mail.mails)[number]];
    expect({ from, to }).toEqual({ from: 'risk@example.com', to: ['vi@example.com'] });
    expect(text).toContain('Subject: 2 notifications');
    expect(textOf(text)).toContain(`analyst mentioned you in a comment on ${finding.name}`);
    expect(textOf(text)).toContain('https://risk.example.com/app/notifications');
    await until('it is recorded', async () => (await viewer.get(PREFERENCES)).lastMessage?.status === 'sent');
    expect(await viewer.get(PREFERENCES)).toMatchObject({ nextMessageAt: null, problem: null });
  });

  it('contain nothing that was read, and are skipped if everything was', async () => {
    await done('PATCH', SETTINGS, byMail());
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    await done('POST', `${PATH}/read`, {}, viewer);
    passGathering();
    await until(
      'it is skipped',
      async () => (await viewer.get(PREFERENCES)).lastMessage?.status === 'skipped',
    );
    expect(mail.mails).toEqual([]);
  });

  it('count all notifications, not only the ones that they name', async () => {
    await done('PATCH', SETTINGS, byMail());
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    const { id: personId } = await credentialOf('viewer');
    const some = Array.from({ length: 300 }, (_, i) => ({
      ...{ personId, key: `k${i}`, kind: 'assigned' as const, at: now, by: null },
      ...{ findings: 1, findingIds: [NOBODY] },
    }));
    await new NotificationsRepository(gateway.database.db).add(some, new Set([personId]));
    // Wakes what has been added here.
    await done('PATCH', PREFERENCES, { timeZone: 'UTC' }, viewer);
    passGathering();
    await until('a message', () => mail.mails.length === 1);
    expect(mail.mails[0]!.text).toContain('Subject: 300 notifications');
    expect(textOf(mail.mails[0]!.text)).toContain('And 270 more.');
  });

  it('wait for the end of quiet hours and for the digest', async () => {
    await done('PATCH', SETTINGS, byMail());
    const at = new Date(now).toISOString().slice(0, 11);
    const given = { channel: 'email', address: 'vi@example.com', timeZone: 'UTC' };
    await done('PATCH', PREFERENCES, { ...given, quiet: { from: '06:00', to: '20:00' } }, viewer);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    const next = async () => (await viewer.get(PREFERENCES)).nextMessageAt;
    expect(await next()).toBe(`${at}20:00:00.000Z`);
    await done('PATCH', PREFERENCES, { schedule: 'daily', dailyAt: '18:00', quiet: null }, viewer);
    expect(await next()).toBe(`${at}18:00:00.000Z`);
    await done('PATCH', PREFERENCES, { channel: null }, viewer);
    expect(await next()).toBeNull();
  });

  it('are not postponed by preferences that do not concern their time', async () => {
    now = atTenNextDay();
    await signIn();
    await done('PATCH', SETTINGS, byMail());
    const tomorrow = now + DAY_MS - 10 * HOUR_MS;
    const weekday = new Date(tomorrow).getUTCDay() || 7;
    const weekly = { schedule: 'weekly', weekday, dailyAt: '06:00', quiet: { from: '19:00', to: '07:30' } };
    const given = { channel: 'email', address: 'vi@example.com', timeZone: 'UTC' };
    await done('PATCH', PREFERENCES, { ...given, ...weekly }, viewer);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    const nextMessageAt = new Date(tomorrow + 7.5 * HOUR_MS).toISOString();
    expect(await viewer.get(PREFERENCES)).toMatchObject({ nextMessageAt });
    now = tomorrow + 6.5 * HOUR_MS;
    await signIn();
    expect(await done('PATCH', PREFERENCES, { kinds: ['mentioned'] }, viewer)).toMatchObject({
      nextMessageAt,
    });
  });

  it('of a daily digest contain what the look of the same time finds', async () => {
    now = atTenNextDay();
    await signIn();
    await done('PATCH', SETTINGS, byMail());
    const given = { channel: 'email', address: 'vi@example.com', timeZone: 'UTC' };
    await done('PATCH', PREFERENCES, { ...given, schedule: 'daily', dailyAt: '18:00' }, viewer);
    const [finding] = await findings();
    await assign(finding.id, { type: 'user', name: 'viewer' });
    await act(finding.id, 'due', { due: new Date(now + 7 * HOUR_MS).toISOString(), reason: 'x' });
    await notified(viewer, 1);
    now += 8 * HOUR_MS + 1_000;
    await signIn();
    await until('a message', () => mail.mails.length > 0);
    await until('it is recorded', async () => (await viewer.get(PREFERENCES)).lastMessage?.status === 'sent');
    expect(mail.mails).toHaveLength(1);
    expect(textOf(mail.mails[0]!.text)).toContain(`${finding.name} on ${finding.assetName} is overdue`);
    expect(textOf(mail.mails[0]!.text)).toContain('analyst assigned');
    expect((await viewer.get(PREFERENCES)).nextMessageAt).toBeNull();
  });

  it('are not retried in quiet hours, nor sent late in them', async () => {
    now = atTenNextDay() + 9 * HOUR_MS - 60_000;
    await signIn();
    await done('PATCH', SETTINGS, byMail());
    const given = { channel: 'email', address: 'vi@example.com', timeZone: 'UTC' };
    await done('PATCH', PREFERENCES, { ...given, quiet: { from: '19:00', to: '20:00' } }, viewer);
    const [finding] = await findings();
    const nextAttempt = async () => {
      const { rows } = await gateway.database.pool.query(
        `select attempts, next_attempt_at as at from notification_messages where status = 'pending'`,
      );
      return rows;
    };
    mail.rejected.add('vi@example.com');
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    now += 59_999;
    await until('a failure', async () => (await viewer.get(PREFERENCES)).lastMessage?.message != null);
    const end = now + HOUR_MS + 1;
    expect(await nextAttempt()).toEqual([{ attempts: 1, at: end }]);
    mail.rejected.clear();
    now += HOUR_MS / 2;
    await signIn();
    // As after an interruption; and a message that was due before them.
    await gateway.database.pool.query(
      `update notification_messages set next_attempt_at = $1 where status = 'pending'`,
      [new Date(now)],
    );
    await mention(finding.id, 'viewer');
    await notified(viewer, 2);
    await gateway.database.pool.query(
      'update notification_people set next_message_at = $1 where next_message_at is not null',
      [new Date(now - HOUR_MS)],
    );
    await until('both wait', async () => {
      const [message] = await nextAttempt();
      const { nextMessageAt } = await viewer.get(PREFERENCES);
      return message?.at === end && nextMessageAt === new Date(end).toISOString();
    });
    expect([mail.mails, await nextAttempt()]).toEqual([[], [{ attempts: 1, at: end }]]);
    now = end;
    await signIn();
    await until('both messages', () => mail.mails.length === 2);
  });

  it('go to a new address, also what waits for a digest and what the old one did not accept', async () => {
    now = atTenNextDay();
    await signIn();
    await done('PATCH', SETTINGS, byMail());
    const daily = { timeZone: 'UTC', schedule: 'daily', dailyAt: '18:00' };
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'old@example.com', ...daily }, viewer);
    const [first, second] = await findings(2);
    await mention(first.id, 'viewer');
    await notified(viewer, 1);
    const changeTo = (address: string) => done('PATCH', PREFERENCES, { address }, viewer);
    const end = new Date(now + 8 * HOUR_MS).toISOString();
    expect((await changeTo('new@example.com')).nextMessageAt).toBe(end);
    now += 8 * HOUR_MS + 1_000;
    await signIn();
    await until('the digest', () => mail.mails.length === 1);
    await until('it is recorded', async () => (await viewer.get(PREFERENCES)).lastMessage?.status === 'sent');
    mail.rejected.add('new@example.com');
    await done('PATCH', PREFERENCES, { schedule: 'immediate' }, viewer);
    await mention(second.id, 'viewer');
    await notified(viewer, 2);
    passGathering();
    await until('a failure', async () => {
      const { status, message } = (await viewer.get(PREFERENCES)).lastMessage;
      return status === 'pending' && message !== null;
    });
    // Not with the digest of the next day.
    await done('PATCH', PREFERENCES, { schedule: 'daily' }, viewer);
    const soon = new Date(now + 30_000).toISOString();
    expect((await changeTo('newest@example.com')).nextMessageAt).toBe(soon);
    passGathering();
    await until('the message', () => mail.mails.length === 2);
    const [digest, message] = mail.mails as [(typeof mail.mails)[number], (typeof mail.mails)[number]];
    expect([digest.to, message.to]).toEqual([['new@example.com'], ['newest@example.com']]);
    expect(textOf(digest.text)).toContain(first.name);
    expect(textOf(message.text)).toContain(second.name);
  });

  it('are tried again if an address does not open, as on one gateway without the previous key', async () => {
    await done('PATCH', SETTINGS, byMail());
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    const { id } = await credentialOf('viewer');
    const { pool } = gateway.database;
    const { rows } = await pool.query('select content from notification_people where person_id = $1', [id]);
    const store = (content: string) =>
      pool.query('update notification_people set content = $1 where person_id = $2', [content, id]);
    const other = new Vault([Buffer.from('a secret of another gateway, long enough')]);
    await store(other.seal('vi@example.com', notificationAddressPlace(id)));
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    passGathering();
    await until('an attempt', async () => (await viewer.get(PREFERENCES)).lastMessage?.message != null);
    expect((await viewer.get(PREFERENCES)).lastMessage).toMatchObject({
      ...{ status: 'pending', attempts: 1 },
      message: expect.stringContaining('POSTURE_PREVIOUS_SECRET_KEY'),
    });
    await store(rows[0].content);
    now += 61_000;
    await until('a message', () => mail.mails.length === 1);
  });

  it('go to Slack while the mail server does not answer', async () => {
    const connections: Socket[] = [];
    const silent = createServer((socket) => void connections.push(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      await done('PATCH', SETTINGS, { ...byMail({ url }), slackHosts: ['127.0.0.1'] });
      await done('PATCH', PREFERENCES, { channel: 'email', address: 'ana@example.com' }, analyst);
      await done('PATCH', PREFERENCES, { channel: 'slack', address: `${receiver.url}/slack` }, viewer);
      receiver.receive = () => ({ status: 200 });
      await done('POST', `${PATH}/test`, undefined, analyst);
      await until('the mail server has a connection', () => connections.length > 0);
      await done('POST', `${PATH}/test`, undefined, viewer);
      await until('the message to Slack', () => receiver.received.length === 1);
      expect((await analyst.get(PREFERENCES)).lastMessage).toMatchObject({
        ...{ status: 'pending', attempts: 1, message: null },
      });
    } finally {
      for (const socket of connections) socket.destroy();
      silent.close();
    }
  });

  it('go to Slack and Teams as plain text', async () => {
    await done('PATCH', SETTINGS, { slackHosts: ['127.0.0.1'], teamsHosts: ['127.0.0.1'] });
    receiver.receive = () => ({ status: 200 });
    for (const channel of ['slack', 'teams'] as const) {
      const address = `${receiver.url}/${channel}`;
      const saved = await done('PATCH', PREFERENCES, { channel, address }, viewer);
      expect(saved).toMatchObject({ channel, address: new URL(receiver.url).origin, problem: null });
      receiver.received.length = 0;
      const [finding] = await findings();
      await act(finding.id, 'comments', { text: '@viewer *x*' });
      await until('it waits', async () => (await viewer.get(PREFERENCES)).nextMessageAt !== null);
      passGathering();
      await until('a message', () => receiver.received.length === 1);
      const sent = String(receiver.received[0]!.body);
      expect(sent).toContain(`analyst mentioned you in a comment on ${finding.name}`);
      expect(sent).toContain(`https://risk.example.com/app/findings/${finding.id}`);
      expect(sent).toContain(channel === 'slack' ? 'plain_text' : 'RichTextBlock');
    }
  });

  it('are tested, once a minute, and say why they fail', async () => {
    expect((await ask('POST', `${PATH}/test`, undefined, viewer)).status).toBe(409);
    await done('PATCH', SETTINGS, byMail());
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    await done('POST', `${PATH}/test`, undefined, viewer);
    await until('a message', () => mail.mails.length === 1);
    await until('it is recorded', async () => (await viewer.get(PREFERENCES)).lastMessage.status === 'sent');
    expect((await ask('POST', `${PATH}/test`, undefined, viewer)).status).toBe(409);
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    passGathering();
    await until('a message of other contents', () => mail.mails.length === 2);
    expect((await ask('POST', `${PATH}/test`, undefined, viewer)).status).toBe(409);
    now += 61_000;
    mail.rejected.add('vi@example.com');
    await done('POST', `${PATH}/test`, undefined, viewer);
    await until('a failure', async () => (await viewer.get(PREFERENCES)).lastMessage.message !== null);
    expect((await viewer.get(PREFERENCES)).lastMessage).toMatchObject({
      ...{ status: 'failed', attempts: 1, message: expect.stringContaining('does not accept') },
    });
    now += 61_000;
    mail.rejected.clear();
    await done('POST', `${PATH}/test`, undefined, viewer);
    await until('another message', () => mail.mails.length === 3);
  });

  it('are tested while another message waits for its next attempt', async () => {
    now = atTenNextDay() + 9 * HOUR_MS - 60_000;
    await signIn();
    await done('PATCH', SETTINGS, byMail());
    const given = { channel: 'email', address: 'vi@example.com', timeZone: 'UTC' };
    await done('PATCH', PREFERENCES, { ...given, quiet: { from: '19:00', to: '07:30' } }, viewer);
    const [finding] = await findings();
    mail.rejected.add('vi@example.com');
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    now += 59_999;
    await until('a failure', async () => (await viewer.get(PREFERENCES)).lastMessage?.message != null);
    mail.rejected.clear();
    now += 600_000;
    await done('POST', `${PATH}/test`, undefined, viewer);
    await until('the test', () => mail.mails.length === 1);
    expect(mail.mails[0]!.text).toContain('Subject: Test of your notifications');
  });

  it('are not sent to a domain that is no longer permitted, nor from a restored site', async () => {
    await done('PATCH', SETTINGS, byMail());
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    await done('PATCH', SETTINGS, byMail({ domains: ['example.org'] }));
    expect((await viewer.get(PREFERENCES)).problem).toContain('example.org');
    await done('PATCH', SETTINGS, byMail());
    await gateway.database.pool.query('update notification_settings set is_restored = true');
    expect((await admin.get(SETTINGS)).problem).toContain('restored');
    expect((await viewer.get(PREFERENCES)).problem).toContain('restored');
    const [finding] = await findings();
    await mention(finding.id, 'viewer');
    await notified(viewer, 1);
    passGathering();
    await until(
      'it has failed',
      async () => (await viewer.get(PREFERENCES)).lastMessage?.status === 'failed',
    );
    expect(mail.mails).toEqual([]);
    await done('PATCH', SETTINGS, { slackHosts: [] });
    expect((await viewer.get(PREFERENCES)).problem).toBeNull();
  });
});

describe('what is configured (R-NOTE-8)', () => {
  it('is encrypted, returns no password, and is an act without names', async () => {
    const email = { user: 'risk', password: 'mail-password' };
    const saved = await done('PATCH', SETTINGS, byMail(email));
    expect(saved).toMatchObject({ email: { user: 'risk', domains: ['example.com'] }, problem: null });
    await done('PATCH', PREFERENCES, { channel: 'email', address: 'vi@example.com' }, viewer);
    const { rows } = await gateway.database.pool.query(
      'select * from notification_people p left join notification_settings s on true',
    );
    expect(JSON.stringify([saved, rows])).not.toMatch(/mail-password|vi@/);
    expect(JSON.stringify(rows)).not.toMatch(/risk@/);
    let acts: Awaited<ReturnType<typeof actsOn>> = [];
    await until('the act', async () => {
      acts = await actsOn('notifications');
      return acts.some(({ detail }) => JSON.stringify(detail).includes('example.com'));
    });
    expect(acts[0]).toMatchObject({ action: 'webhook.notificationSettingsChanged', user: 'admin' });
    expect(JSON.stringify(acts)).not.toMatch(/mail-password|risk@/);
  });

  it('is not overwritten by a gateway that cannot read it: such a gateway requires all of it', async () => {
    const { pool } = gateway.database;
    await done('PATCH', SETTINGS, byMail());
    const other = new Vault([Buffer.from('a secret of another gateway, long enough')]);
    const content = other.seal('{}', notificationSettingsPlace());
    await pool.query('update notification_settings set content = $1', [content]);
    const { status, body } = await ask('PATCH', SETTINGS, { slackHosts: ['hooks.slack.com'] }, admin);
    expect([status, body.message]).toEqual([409, expect.stringContaining('POSTURE_PREVIOUS_SECRET_KEY')]);
    expect((await pool.query('select content from notification_settings')).rows).toEqual([{ content }]);
    const all = { ...byMail(), slackHosts: [], teamsHosts: [] };
    expect(await done('PATCH', SETTINGS, all)).toMatchObject({ problem: null });
  });

  it('is for those who may write webhooks', async () => {
    expect((await ask('GET', SETTINGS, undefined, viewer)).status).toBe(403);
    expect((await ask('PATCH', SETTINGS, { slackHosts: [] }, analyst)).status).toBe(403);
  });

  it.each<[string, object, string]>([
    [SETTINGS, {}, 'the body must contain email'],
    ...['https://a.example', 'a.example:587'].map((url): [string, object, string] => [
      SETTINGS,
      { email: { url, from: 'a@example.com', domains: ['a.example'] } },
      'email.url must be the address of a mail server',
    ]),
    [
      SETTINGS,
      { email: { url: 'smtp://a.example', from: 'a', domains: ['a.example'] } },
      'email.from must be an email',
    ],
    [
      SETTINGS,
      { email: { url: 'smtp://a.example', from: 'a@example.com', domains: [] } },
      'email.domains should not be empty',
    ],
    [
      SETTINGS,
      { email: { url: 'smtp://a.example', from: 'a@example.com', domains: ['A.example'] } },
      'domain in lower case',
    ],
    [
      SETTINGS,
      { email: { url: 'smtp://a.example', from: 'a@example.com', domains: ['a.example'], user: 'x' } },
      'email.password must be the password',
    ],
    [SETTINGS, { slackHosts: ['https://hooks.slack.com'] }, 'domain in lower case'],
    [PREFERENCES, {}, 'the body must contain kinds'],
    [PREFERENCES, { kinds: ['all'] }, 'each kind must be one of'],
    [PREFERENCES, { timeZone: 'Mars/Base' }, 'timeZone must be an IANA time zone'],
    [PREFERENCES, { dailyAt: '24:00' }, 'dailyAt must be a time of a day'],
    [PREFERENCES, { weekday: 0 }, 'weekday must'],
    [PREFERENCES, { quiet: { from: '08:00', to: '8:00' } }, 'quiet.to must be a time of a day'],
    [PREFERENCES, { quiet: { from: '08:00', to: '08:00' } }, 'quiet.to must differ'],
    [PREFERENCES, { channel: 'email' }, 'address must be the address of the channel'],
    [PREFERENCES, { channel: 'email', address: 'a@b.example' }, 'address must be an e-mail address at'],
    [PREFERENCES, { channel: 'email', address: 'nobody' }, 'address must be an e-mail address'],
    [
      PREFERENCES,
      { channel: 'slack', address: 'https://evil.example/hooks.slack.com' },
      'address must be the address of an incoming webhook at',
    ],
    [PREFERENCES, { address: 'a@example.com' }, 'address requires channel'],
    [
      PREFERENCES,
      { teams: Array.from({ length: 21 }, (_, i) => `t${i}`) },
      'teams must contain no more than 20',
    ],
  ])('rejects %s %j', async (path, given, message) => {
    const { status, body } = await ask('PATCH', path, given, admin);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
