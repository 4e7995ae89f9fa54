import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { PasswordHasher } from '../auth/password-hasher.ts';
import type { SecurityEventDto } from './security-event.dto.ts';
import { SecurityEventsRepository } from './security-events.repository.ts';

const PATH = '/api/v3/security-events';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - DAY_MS;
let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', SECURITY_EVENTS_DAYS: '7' };
  gateway = await StartedGateway.start({ clock: () => now, env });
  admin = await gateway.client('admin');
});
afterAll(() => gateway.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const signIn = (username: string, password: string, address: string, requestId = 'r-1') =>
  fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'x-forwarded-for': address,
      'x-request-id': requestId,
    },
  });

const use = (token: string, address: string) =>
  fetch(`${gateway.url}/api/v3/uploads`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  });

async function newCredential(username: string): Promise<{ id: string; username: string; password: string }> {
  const { body } = await admin.request(
    'POST',
    '/api/v3/credentials',
    JSON.stringify({ username, role: 'analyst' }),
  );
  return body;
}

/** Once there are so many rows. */
async function eventsOf(query: string, rows: number): Promise<SecurityEventDto[]> {
  let items: SecurityEventDto[] = [];
  await until(`${rows} events`, async () => {
    items = await admin.all(`${PATH}?${query}`);
    return items.length === rows;
  });
  return items;
}

describe('GET /api/v3/security-events', () => {
  it('has every sign-in and every rejected token, with who, whence, why and by which request', async () => {
    const { id: credential, username, password } = await newCredential('watched');
    const at = new Date(now).toISOString();
    const { accessToken } = (await (await signIn(username, password, '192.0.2.1', 'right')).json()) as {
      accessToken: string;
    };
    await signIn(username, 'wrong', '192.0.2.1', 'wrong');
    await signIn('nobody', 'wrong', '192.0.2.1', 'unknown');
    await admin.request('DELETE', `/api/v3/credentials/${credential}`);
    expect((await use(accessToken, '192.0.2.1')).status).toBe(401);
    expect((await use('a.b.c', '192.0.2.1')).status).toBe(401);
    const events = await eventsOf('address=192.0.2.1', 5);
    const of = (requestId: string) => events.find((event) => event.requestId === requestId);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const common = { id, at, lastAt: at, count: 1, kind: 'signIn', user: 'watched', token: null };
    const from = { address: '192.0.2.1' };
    expect(of('right')).toEqual({ ...common, ...from, outcome: 'success', reason: null, requestId: 'right' });
    const refused = { ...common, ...from, outcome: 'refused' };
    expect(of('wrong')).toEqual({ ...refused, reason: 'wrongPassword', requestId: 'wrong' });
    expect(of('unknown')).toEqual({
      ...refused,
      user: 'nobody',
      reason: 'unknownUser',
      requestId: 'unknown',
    });
    const tokens = events.filter(({ kind }) => kind === 'token');
    expect(tokens).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          outcome: 'refused',
          reason: 'revoked',
          user: null,
          token: expect.stringMatching(/^[0-9a-f]{12}$/),
        }),
        expect.objectContaining({ outcome: 'refused', reason: 'invalid', user: null, token: null }),
      ]),
    );
    expect(JSON.stringify(events)).not.toContain(password);
  });

  it('verifies ten of 150 concurrent wrong passwords, and counts the others of the minute in one row', async () => {
    const { username } = await newCredential('guessed');
    const verify = jest.spyOn(PasswordHasher.prototype, 'verify');
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, i) => signIn(username, `wrong ${i}`, '192.0.2.2')),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(401), count(429), verify.mock.calls.length]).toEqual([10, 140, 10]);
    const [limited] = await eventsOf('address=192.0.2.2&reason=limited', 1);
    await until('all of them', async () => {
      const [row] = await admin.all(`${PATH}?address=192.0.2.2&reason=limited`);
      return row.count === 140;
    });
    expect(limited).toMatchObject({ kind: 'signIn', outcome: 'refused', user: 'guessed' });
  });

  it('lets a remembered sign-in pass while a forgotten script is throttled at the same address', async () => {
    const { username, password } = await newCredential('shared');
    expect((await signIn(username, password, '192.0.2.3')).status).toBe(200);
    for (let i = 0; i < 12; i += 1) await signIn(username, 'forgotten', '192.0.2.3');
    expect((await signIn(username, 'forgotten', '192.0.2.3')).status).toBe(429);
    expect((await signIn(username, password, '192.0.2.3')).status).toBe(200);
    // From another address, a remembered credential does not bypass the limit.
    for (let i = 0; i < 10; i += 1) await signIn(username, `wrong ${i}`, '192.0.2.4');
    expect((await signIn(username, password, '192.0.2.4')).status).toBe(429);
    now += MINUTE_MS;
    expect((await signIn(username, password, '192.0.2.3')).status).toBe(429);
  });

  it('has the refused operations of a caller without the scope, or with limits', async () => {
    const limits = { departments: ['Sales'] };
    const given = JSON.stringify({ name: 'sales', scopes: ['assets:read', 'uploads:read'], ...limits });
    const { body } = await admin.request('POST', '/api/v3/tokens', given);
    expect((await use(body.token, '192.0.2.7')).status).toBe(403);
    const changed = await fetch(`${gateway.url}/api/v3/settings`, {
      headers: { authorization: `Bearer ${body.token}`, 'x-forwarded-for': '192.0.2.7' },
    });
    expect(changed.status).toBe(403);
    // Which scope this requires depends on the body.
    const shared = await fetch(`${gateway.url}/api/v3/views`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${body.token}`,
        'content-type': 'application/json',
        'x-forwarded-for': '192.0.2.8',
      },
      body: JSON.stringify({ name: 'ours', list: 'assets', query: '', shared: true }),
    });
    expect(shared.status).toBe(403);
    const events = await eventsOf('address=192.0.2.7', 2);
    const token = expect.stringMatching(/^[0-9a-f]{12}$/);
    const common = { kind: 'token', outcome: 'refused', user: 'token:sales', token };
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...common, reason: 'rows' }),
        expect.objectContaining({ ...common, reason: 'scope' }),
      ]),
    );
    expect(JSON.stringify(events)).not.toContain(body.token);
    expect(await eventsOf('address=192.0.2.8', 1)).toMatchObject([{ ...common, reason: 'scope' }]);
  });

  it('has the refused operations that only their handlers refuse: more rights than its own, and scores', async () => {
    const scopes = [
      'credentials:read',
      'credentials:write',
      'settings:read',
      'settings:write',
      'scores:read',
    ];
    const tokenOf = async (name: string, limits: object) => {
      const given = JSON.stringify({ name, scopes, ...limits });
      return (await admin.request('POST', '/api/v3/tokens', given)).body.token as string;
    };
    const [helpdesk, sales] = [
      await tokenOf('helpdesk', {}),
      await tokenOf('part', { departments: ['Sales'] }),
    ];
    const ask = async (token: string, address: string, path: string, given?: object) => {
      const { status } = await fetch(`${gateway.url}${path}`, {
        ...(given && { method: 'POST', body: JSON.stringify(given) }),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-forwarded-for': address,
        },
      });
      expect([path, status]).toEqual([path, 403]);
    };
    await ask(helpdesk, '192.0.2.21', '/api/v3/credentials', { username: 'mine', role: 'admin' });
    await ask(helpdesk, '192.0.2.22', '/api/v3/tokens', { name: 'mine', scopes: ['findings:read'] });
    await ask(sales, '192.0.2.23', '/api/v3/scores/organization/history');
    await ask(sales, '192.0.2.24', '/api/v3/tokens', {
      name: 'all',
      scopes: ['scores:read'],
      departments: ['IT'],
    });
    for (const [address, reason] of [
      ['192.0.2.21', 'scope'],
      ['192.0.2.22', 'scope'],
      ['192.0.2.23', 'rows'],
      ['192.0.2.24', 'rows'],
    ]) {
      expect(await eventsOf(`address=${address}`, 1)).toMatchObject([
        { kind: 'token', outcome: 'refused', reason },
      ]);
    }
  });

  it('filters and pages', async () => {
    now += MINUTE_MS;
    const from = new Date(now).toISOString();
    await wrongSignIns('somebody', '192.0.2.5', 5);
    const listed = await admin.all(
      `${PATH}?user=somebody&reason=unknownUser&outcome=refused&kind=signIn&from=${from}`,
    );
    expect(listed.map(({ at }) => at)).toEqual([...listed.map(({ at }) => at)].sort().reverse());
    const page = await admin.get(`${PATH}?user=somebody&limit=2`);
    expect(page.items).toEqual(listed.slice(0, 2));
    const rest = await admin.get(`${PATH}?user=somebody&cursor=${page.nextCursor}`);
    expect(rest).toEqual({ items: listed.slice(2), nextCursor: null });
    expect(await admin.all(`${PATH}?user=somebody&kind=token`)).toEqual([]);
    for (const query of ['kind=x', 'outcome=x', 'reason=x', 'from=x', 'cursor=x', 'user=a&user=b', 'x=y']) {
      expect([query, (await admin.request('GET', `${PATH}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('has one event per line for clients that accept JSON lines', async () => {
    await wrongSignIns('lines', '192.0.2.6', 3);
    const { items } = await admin.get(`${PATH}?user=lines`);
    const { token } = admin as unknown as { token: string };
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/x-ndjson, application/json;q=0.5',
    };
    const lines: string[] = [];
    // As a client sends it that joins `https://host/` and a path.
    let next: string | undefined = `${gateway.url}/${PATH}?user=lines&limit=2`;
    for (let pages = 0; next !== undefined && pages < 3; pages += 1) {
      const response: Response = await fetch(next, { headers });
      expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      lines.push(...(await response.text()).split('\n').slice(0, -1));
      const link = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      next = link && new URL(link, response.url).href;
    }
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
    expect(items).toHaveLength(3);
    expect((await fetch(`${gateway.url}${PATH}?limit=x`, { headers })).status).toBe(400);
  });

  it('repeats the whole query in the link to the next page', async () => {
    const user = 'who?me?';
    await wrongSignIns(user, '192.0.2.7', 2);
    const headers = { authorization: admin.authorization, accept: 'application/x-ndjson' };
    const response = await fetch(`${gateway.url}${PATH}?user=${user}&outcome=refused&limit=1`, { headers });
    const next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    const { searchParams } = new URL(next!, gateway.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      user,
      outcome: 'refused',
      limit: '1',
      cursor: expect.any(String),
    });
  });

  it('requires the role admin', async () => {
    for (const role of ['analyst', 'viewer'] as const) {
      expect((await (await gateway.client(role)).request('GET', PATH)).status).toBe(403);
    }
  });
});

/** One a minute. */
async function wrongSignIns(user: string, address: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    now += MINUTE_MS;
    await signIn(user, 'wrong', address);
  }
  await eventsOf(`user=${encodeURIComponent(user)}`, times);
}

describe('GET /api/v3/security-events/export', () => {
  it('has the events of a time, oldest first', async () => {
    const from = new Date(now + 1).toISOString();
    await wrongSignIns('exported', '192.0.2.8', 3);
    const to = new Date(now).toISOString();
    const { text, headers } = await exported(`format=jsonl&user=exported&from=${from}&to=${to}`);
    const listed = await admin.all(`${PATH}?user=exported&to=${to}`);
    expect(text).toBe(
      listed
        .reverse()
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    expect(listed).toHaveLength(2);
    expect(headers.get('content-disposition')).toMatch(/filename="security-events-[\dTZ-]+\.jsonl"/);
  });

  it('reads on after its first page', async () => {
    await gateway.database.pool.query(`
      insert into security_events (id, minute, at, last_at, count, kind, outcome, reason, user_name, token, address, request_id)
      select gen_random_uuid(), t, t, t, 1, 'signIn', 'refused', 'unknownUser', 'many', '', '192.0.2.9', 'r'
        from generate_series(date_trunc('second', now()) - interval '1201 minutes', date_trunc('second', now()), interval '1 minute') as t`);
    const { text } = await exported('format=jsonl&user=many');
    const times = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).at);
    expect(times).toHaveLength(1_202);
    expect(times).toEqual([...times].sort());
  });

  it('writes OCSF and syslog', async () => {
    const user = 'Zoë "x"\n]';
    await wrongSignIns(user, '2001:db8::1', 1);
    const query = `user=${encodeURIComponent(user)}`;
    const [listed] = await admin.all(`${PATH}?${query}`);
    const ocsf = JSON.parse((await exported(`format=ocsf&${query}`)).text);
    expect(ocsf).toMatchObject({ class_uid: 3002, status_id: 2, user: { name: user } });
    expect(ocsf.metadata.uid).toBe(listed.id);
    const syslog = await exported(`format=syslog&${query}`);
    expect(syslog.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const [, text] = /^<84>1 \S+ \S+ posture - signIn - (\{.*\})\n$/.exec(syslog.text) ?? [];
    expect(JSON.parse(text!)).toEqual(ocsf);
  });

  it('answers HEAD without reading, and rejects other formats and parameters', async () => {
    const head = await admin.request('HEAD', `${PATH}/export?format=syslog`);
    expect(head.status).toBe(200);
    for (const query of ['', 'format=cef', 'format=ocsf&limit=5', 'format=ocsf&from=x']) {
      expect([query, (await admin.request('GET', `${PATH}/export?${query}`)).status]).toEqual([query, 400]);
    }
    expect(
      (await (await gateway.client('analyst')).request('GET', `${PATH}/export?format=ocsf`)).status,
    ).toBe(403);
  });
});

async function exported(query: string): Promise<{ text: string; headers: Headers }> {
  const { accessToken } = (await (await signIn('admin', 'a-password-for-tests', '127.0.0.1')).json()) as {
    accessToken: string;
  };
  const answer = await fetch(`${gateway.url}${PATH}/export?${query}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return { text: await answer.text(), headers: answer.headers };
}

describe('stored security events', () => {
  it('adds up over gateways', async () => {
    const other = await StartedGateway.start({ beside: gateway, clock: () => now });
    try {
      await signIn('both', 'wrong', '127.0.0.1');
      const basic = Buffer.from('both:wrong').toString('base64');
      await fetch(`${other.url}/api/v3/auth`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
      });
      await until('both', async () => {
        const items = await admin.all(`${PATH}?user=both`);
        return items.length === 1 && items[0].count === 2;
      });
    } finally {
      await other.stop();
    }
  });

  it('is written later if the database is unavailable', async () => {
    const add = jest.spyOn(SecurityEventsRepository.prototype, 'add');
    add.mockRejectedValueOnce(new Error('away'));
    await signIn('late', 'wrong', '192.0.2.6');
    await until('the first attempt', () => add.mock.calls.length > 0);
    await signIn('late', 'wrong', '192.0.2.6');
    await until('both', async () => (await admin.all(`${PATH}?user=late`))[0]?.count === 2);
  });

  it('stores 1,000 separately in a minute, and counts the others', async () => {
    now += MINUTE_MS;
    for (let i = 0; i < 1_100; i += 50) {
      const addresses = Array.from(
        { length: 50 },
        (_, j) => `198.51.${100 + ((i + j) >> 8)}.${(i + j) & 255}`,
      );
      await Promise.all(addresses.map((address) => use('a.b.c', address)));
    }
    const from = new Date(now).toISOString();
    await until('all of them', async () => {
      const events = await admin.all(`${PATH}?reason=invalid&from=${from}`);
      return events.reduce((sum, { count }) => sum + count, 0) === 1_100;
    });
    const events = await admin.all(`${PATH}?reason=invalid&from=${from}`);
    const others = events.filter(({ address }) => address === null);
    expect([others.length, events.length <= 1_001]).toEqual([1, true]);
    expect(others[0].count).toBeGreaterThanOrEqual(100);
  });

  it('is removed after SECURITY_EVENTS_DAYS, by the earlier of the clocks of gateway and database', async () => {
    const { db, pool } = gateway.database;
    const events = new SecurityEventsRepository(db);
    const oldest = async () => {
      const { rows } = await pool.query('select min(at) as at from security_events');
      return rows[0].at as number;
    };
    const before = await oldest();
    await events.removeOlderThan(7, Date.now() + 120 * DAY_MS);
    expect(await oldest()).toBe(before);
    await pool.query(`update security_events set at = now() - interval '8 days' where user_name = 'both'`);
    await events.removeOlderThan(7, Date.now() - 2 * DAY_MS);
    expect(await admin.all(`${PATH}?user=both`)).toHaveLength(1);
    // The gateway looks each hour.
    now = Date.now() + 60 * MINUTE_MS;
    admin = await gateway.client('admin');
    await until('the removal', async () => (await admin.all(`${PATH}?user=both`)).length === 0);
    expect((await admin.all(`${PATH}?user=late`)).length).toBe(1);
  });
});
