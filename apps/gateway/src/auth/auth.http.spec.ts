import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { PasswordHasher } from './password-hasher.ts';

const MINUTE_MS = 60_000;
let now = Date.parse('2026-05-01T12:00:00Z');
let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
});
afterAll(() => gateway.stop());

/** A token or an error, as the status says. */
interface AnswerBody {
  accessToken: string;
  message: string;
  retryIn: number;
}

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

async function signIn(headers: Record<string, string>, body?: string, path = '/api/v3/auth') {
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, ...(body && { body }) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as AnswerBody };
}

const uploads = async (token?: string) => {
  const response = await fetch(`${gateway.url}/api/v3/uploads`, {
    headers: token === undefined ? {} : { authorization: token },
  });
  return { status: response.status, body: (await response.json()) as AnswerBody };
};

describe('POST /api/v3/auth (R-AUTH-1)', () => {
  it.each([
    ['text/plain and an empty body', { 'content-type': 'text/plain' }, undefined, '/api/v3/auth'],
    ['no content type', {}, undefined, '/api/v3/auth'],
    ['a last slash', {}, undefined, '/api/v3/auth/'],
    ['doubled slashes (R-HTTP-3)', {}, undefined, '//api/v3//auth'],
    ['a JSON body', { 'content-type': 'application/json' }, '{"broken', '/api/v3/auth'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b', '/api/v3/auth'],
    ['a content type that is none', { 'content-type': 'json' }, 'x', '/api/v3/auth'],
  ])('answers a token with %s', async (_, headers, body, path) => {
    const authorization = basic(gateway.credentialsOf('admin'));
    const answer = await signIn({ authorization, ...(headers as Record<string, string>) }, body, path);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        status: 'success',
        expiresIn: 3600,
      },
    });
    expect((await uploads(`Bearer ${answer.body.accessToken}`)).status).toBe(200);
  });

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Bearer x' }],
    ['a wrong password', { authorization: basic('admin:wrong') }],
    ['an unknown user', { authorization: basic('nobody:a-password-for-tests') }],
    ['no colon', { authorization: basic('admin') }],
    ['U+0000 in the name', { authorization: basic('a\0b:x') }],
  ])('answers 401 with a message to %s', async (_, headers) => {
    const { status, body } = await signIn(headers as Record<string, string>);
    expect(status).toBe(401);
    expect(body).toEqual({ statusCode: 401, error: 'Unauthorized', message: expect.any(String) });
    expect(body.message).not.toBe('');
  });

  it('says the same of an unknown user as of a wrong password', async () => {
    const wrong = await signIn({ authorization: basic('admin:wrong') });
    const unknown = await signIn({ authorization: basic('nobody:wrong') });
    expect(unknown.body).toEqual(wrong.body);
  });

  it('forgets a verified password after 60 s, and accepts no other password until then (R-AUTH-7)', async () => {
    await signIn({ authorization: basic(gateway.credentialsOf('analyst')) });
    const password_hash = await new PasswordHasher().hash('a new password');
    const credential = gateway.database.db.updateTable('credentials').where('username', '=', 'analyst');
    await credential.set({ password_hash }).execute();
    expect((await signIn({ authorization: basic('analyst:wrong') })).status).toBe(401);
    expect((await signIn({ authorization: basic(gateway.credentialsOf('analyst')) })).status).toBe(200);
    now += MINUTE_MS;
    expect((await signIn({ authorization: basic(gateway.credentialsOf('analyst')) })).status).toBe(401);
    expect((await signIn({ authorization: basic('analyst:a new password') })).status).toBe(200);
  });

  it('verifies a burst of one sign-in once, and rejects a burst of many with seconds (R-AUTH-7)', async () => {
    now += MINUTE_MS;
    const same = await Promise.all(
      Array.from({ length: 100 }, () => signIn({ authorization: basic(gateway.credentialsOf('viewer')) })),
    );
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));

    const many = await Promise.all(
      Array.from({ length: 100 }, (_, i) => signIn({ authorization: basic(`admin:wrong-${i}`) })),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(refused[0]!.body.message).toMatch(/^\d+$/);
    expect(refused[0]!.body.retryIn).toBe(Number(refused[0]!.body.message));
    expect(refused[0]!.headers.get('retry-after')).toBe(refused[0]!.body.message);
  });
});

describe('access tokens (R-AUTH-2)', () => {
  it('are valid for 60 minutes, then a 401 names the sign-in route', async () => {
    const { body } = await signIn({ authorization: basic(gateway.credentialsOf('viewer')) });
    now += 59 * MINUTE_MS;
    expect((await uploads(`Bearer ${body.accessToken}`)).status).toBe(200);
    now += 2 * MINUTE_MS;
    expect(await uploads(`Bearer ${body.accessToken}`)).toEqual({
      status: 401,
      body: {
        statusCode: 401,
        error: 'Unauthorized',
        message: 'the access token has expired: sign in again at POST /api/v3/auth',
      },
    });
  });

  it.each([undefined, 'Bearer', 'Bearer x.y.z', 'Basic YTpi'])('401 with a message for %j', async (token) => {
    const { status, body } = await uploads(token);
    expect(status).toBe(401);
    expect(body.message).toMatch(/sign in/);
  });

  it('403: a viewer may not upload (R-AUTH-3)', async () => {
    const viewer = await gateway.client('viewer');
    expect(await viewer.signal({})).toMatchObject({
      status: 403,
      body: {
        statusCode: 403,
        message: 'this operation requires the scope signals:write: the role viewer does not have it',
      },
    });
    expect((await viewer.zip(Buffer.from('x'))).status).toBe(403);
    expect((await viewer.request('GET', '/api/v3/uploads')).status).toBe(200);
  });
});

describe('the log', () => {
  it('contains no password, token or body', async () => {
    const { body } = await signIn({ authorization: basic(gateway.credentialsOf('admin')) });
    await uploads(`Bearer ${body.accessToken}`);
    const text = gateway.lines.join('\n');
    expect(text).toContain('"route":"/api/v3/auth"');
    expect(text).toMatch(
      /"route":"\/api\/v3\/uploads","status":200,"ms":[\d.]+,"requestId":"[^"]+","user":"admin"/,
    );
    expect(text).not.toContain('a-password-for-tests');
    expect(text).not.toContain(body.accessToken);
    expect(text).not.toContain(basic(gateway.credentialsOf('admin')).slice(6));
  });
});
