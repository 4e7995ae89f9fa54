import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OidcServer, providersOf } from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { tablesWithTraces, tracesOf } from '../../../../test/support/traces.ts';
import { until } from '../../../../test/support/until.ts';

const PUBLIC_URL = 'http://posture.example.com';
const PERSON = 'zqperson';
const traces = tracesOf([PERSON]);

let server: OidcServer;
let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  server = await OidcServer.start(PUBLIC_URL);
  server.groups.set(PERSON, ['risk-analysts']);
  gateway = await StartedGateway.start({
    folds: true,
    env: {
      PUBLIC_URL,
      OIDC_PROVIDERS: providersOf(server.issuer),
      SEAL_PERSONAL_TEXTS: 'true',
      POSTURE_SECRET_KEY: 'k'.repeat(32),
    },
  });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await gateway?.stop();
  await server?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a body as a script reads it
async function post(path: string, body: object, token?: string): Promise<any> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** Signs the person in at the provider, and returns the token of the session. */
const signedIn = async (): Promise<string> =>
  (await post('/api/v3/sign-in/corp/finish', await callback(PERSON))).token;

async function callback(subject: string): Promise<object> {
  server.user = subject;
  const { url, proof } = await post('/api/v3/sign-in/corp', {});
  return { proof, ...Object.fromEntries(await server.follow(url)) };
}

const rowsOf = async (table: string): Promise<number> =>
  (await gateway.database.pool.query(`select 1 from ${table}`)).rowCount!;

const exported = async (format: string): Promise<string> => {
  const headers = { authorization: admin.authorization };
  const response = await fetch(`${gateway.url}/api/v3/security-events/export?format=${format}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
};

it('removes the user of an identity provider, with sessions and sign-ins, and no trace stays (R-ERASE-2)', async () => {
  const token = await signedIn();
  const upload = await post('/api/v3/signals', plainSignal('open port', 'web01'), token);
  await admin.folded(upload.uploadId);
  const [finding] = await admin.all('/api/v3/findings');
  await post(`/api/v3/findings/${finding.id}/accept`, { rationale: 'behind the firewall' }, token);
  await until('the sign-in and the origins are stored', async () => {
    const counts = await Promise.all([rowsOf('act_origins'), exported('jsonl')]);
    return counts[0] >= 1 && traces.in(counts[1]).length > 0;
  });
  // The name is in the clear only where signing in needs it.
  expect(await tablesWithTraces(gateway.database.pool, traces)).toEqual(['security_events', 'users']);
  expect(traces.in(JSON.stringify(await admin.all('/api/v3/audit')))).toEqual([PERSON]);

  await post(
    '/api/v3/erasures',
    { subject: { type: 'person', name: `corp:${PERSON}` }, reason: 'left' },
    tokenOf(admin),
  );

  expect(await tablesWithTraces(gateway.database.pool, traces)).toEqual([]);
  expect([await rowsOf('users'), await rowsOf('sessions')]).toEqual([0, 0]);
  for (const format of ['jsonl', 'ocsf', 'syslog']) expect(traces.in(await exported(format))).toEqual([]);
  const audit = await admin.all('/api/v3/audit');
  expect(audit.find(({ action }) => action === 'finding.accepted')).toMatchObject({
    user: 'erased',
  });
  expect(traces.in(JSON.stringify(audit))).toEqual([]);
  expect(gateway.lines.filter((line) => traces.in(line).length > 0)).toEqual([]);
  await until('the session has ended', async () => {
    const response = await fetch(`${gateway.url}/api/v3/findings`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status === 401;
  });

  // Who signs in again is another person, of whom nothing is known.
  await signedIn();
  expect(await rowsOf('users')).toBe(1);
  expect((await admin.all('/api/v3/audit')).filter(({ user }) => user === `corp:${PERSON}`)).toEqual([]);
});

it('removes refused sign-ins of a user who has another name at the provider', async () => {
  const subject = 'zqdisabled';
  const traces = tracesOf([subject]);
  server.groups.set(subject, ['risk-analysts']);
  const userName = `${subject}@example.com`;
  const user = JSON.stringify({ userName, externalId: subject, active: false });
  expect((await admin.request('POST', '/scim/v2/corp/Users', user)).status).toBe(201);
  const refused = await fetch(`${gateway.url}/api/v3/sign-in/corp/finish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await callback(subject)),
  });
  expect(refused.status).toBe(403);
  const events = async () => (await admin.all('/api/v3/security-events?reason=userDisabled')).length;
  await until('the event', async () => (await events()) === 1);

  await post(
    '/api/v3/erasures',
    { subject: { type: 'person', name: `corp:${userName}` }, reason: 'left' },
    tokenOf(admin),
  );
  expect(await tablesWithTraces(gateway.database.pool, traces)).toEqual([]);
});

const tokenOf = ({ authorization }: ApiClient) => authorization.replace('Bearer ', '');
