import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OidcServer, providersOf } from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const PUBLIC_URL = 'http://posture.example.com';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ID = '00000000-0000-4000-8000-000000000000';

let server: OidcServer;
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;
let token: string;
beforeAll(async () => {
  server = await OidcServer.start(PUBLIC_URL);
  const second = { id: 'limited', label: 'Another', departments: { sales: ['Sales'] } };
  const env = {
    PUBLIC_URL,
    POSTURE_SECRET_KEY: 'of-all-gateways-of-this-test-0123456789',
    OIDC_PROVIDERS: JSON.stringify([
      ...JSON.parse(providersOf(server.issuer, { groupsFrom: 'scim' })),
      ...JSON.parse(providersOf(server.issuer, second)),
    ]),
  };
  gateway = await StartedGateway.start({ env, folds: true });
  other = await StartedGateway.start({ env, beside: gateway });
  admin = await gateway.client('admin');
  const given = JSON.stringify({ name: 'scim', scopes: ['users:read', 'users:write'] });
  token = (await admin.request('POST', '/api/v3/tokens', given)).body.token;
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
  await server?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a body as a script reads it
type Answer = { status: number; headers: Headers; body: any };

async function scim(method: string, path: string, body?: unknown, provider = 'corp'): Promise<Answer> {
  const response = await fetch(`${gateway.url}/scim/v2/${provider}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const filtered = (kind: string, filter: string, more = '') =>
  scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`);

async function newUser(userName: string, given: object = {}): Promise<string> {
  const { status, body } = await scim('POST', '/Users', { schemas: [USER], userName, ...given });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
}

async function newGroup(displayName: string, members: string[] = []): Promise<string> {
  const given = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) };
  const { status, body } = await scim('POST', '/Groups', given);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
}

const patch = (path: string, ...operations: object[]) =>
  scim('PATCH', path, { schemas: [PATCH_OP], Operations: operations });

/** Signs in as a subject of the provider. */
async function signIn(
  subject: string,
  provider = 'corp',
  groups: string[] = [],
): Promise<{ status: number; body: { token: string; message: string } }> {
  server.user = subject;
  server.groups.set(subject, groups);
  const post = (path: string, body: object) =>
    fetch(`${gateway.url}/api/v3/sign-in${path}`, { method: 'POST', body: JSON.stringify(body) });
  const { url, proof } = (await (await post(`/${provider}`, {})).json()) as { url: string; proof: string };
  const parameters = Object.fromEntries(await server.follow(url));
  const answer = await post(`/${provider}/finish`, { proof, ...parameters });
  return { status: answer.status, body: (await answer.json()) as { token: string; message: string } };
}

const statusOf = async (session: string, path = '/findings', at = other) =>
  (await fetch(`${at.url}/api/v3${path}`, { headers: { authorization: `Bearer ${session}` } })).status;

describe('users and groups that a provider provisions (R-AUTH-31)', () => {
  it('get their rights from groups at once, and a sign-in finds them by externalId', async () => {
    const id = await newUser('ana@example.com', { externalId: 'ana', displayName: 'Ana', active: true });
    expect(await signIn('ana')).toMatchObject({ status: 403 });
    const group = await newGroup('risk-analysts', [id]);
    const session = (await signIn('ana')).body.token;
    expect(await statusOf(session)).toBe(200);
    expect((await admin.all('/api/v3/users')).find((user) => user.id === id)).toMatchObject({
      name: 'corp:ana@example.com',
      displayName: 'Ana',
      grants: ['analyst'],
      isActive: true,
      sessions: 1,
    });
    // Another group, with other scopes, while the session lasts.
    await newGroup('risk-auditors', [id]);
    expect(
      (await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id}"]` })).status,
    ).toBe(200);
    await until('the loss of the scope', async () => (await statusOf(session)) === 403);
    expect(await statusOf(session, '/audit')).toBe(200);
    await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: id }] });
    await until('the scope', async () => (await statusOf(session)) === 200);
  });

  it('lose access within a second when they are inactive, also answers in progress, and can return', async () => {
    const id = await newUser('ben@example.com', { externalId: 'ben' });
    await newGroup('Risk-Analysts-2');
    const [analysts] = (await filtered('Groups', 'displayName eq "risk-analysts"')).body.Resources;
    await patch(`/Groups/${analysts.id}`, { op: 'add', path: 'members', value: [{ value: id }] });
    const session = (await signIn('ben')).body.token;
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${session}`,
    });
    const last = stream.next();
    // As Entra ID sends it.
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    );
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
    await until('the end', async () => (await statusOf(session)) === 401);
    expect(await signIn('ben')).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^your user is disabled/) },
    });
    await until('the event', async () =>
      (await admin.all('/api/v3/security-events?reason=userDisabled')).some(
        ({ user }) => user === 'corp:ben@example.com',
      ),
    );
    // As Okta sends it.
    expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).body.active).toBe(true);
    expect(await signIn('ben')).toMatchObject({ status: 200 });
    const acts = () => admin.all(`/api/v3/audit?target=${id}`);
    await until('the fold', async () => (await acts()).length === 4);
    expect((await acts()).map(({ action, user }) => [action, user])).toEqual([
      ['credential.userEnabled', 'token:scim'],
      ['credential.userDisabled', 'token:scim'],
      ['credential.userChanged', 'token:scim'],
      ['credential.userProvisioned', 'token:scim'],
    ]);
  });

  it('have an act for each change of their groups, also for one that gives them nothing', async () => {
    const id = await newUser('fay@example.com', { externalId: 'fay' });
    const group = await newGroup('without-a-mapping', [id]);
    const members = (op: string) => ({ op, path: 'members', value: [{ value: id }] });
    await patch(`/Groups/${group}`, members('add'));
    await patch(`/Groups/${group}`, members('remove'));
    await patch(`/Groups/${group}`, members('add'));
    await patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'renamed-without' });
    await scim('DELETE', `/Groups/${group}`);
    await scim('DELETE', `/Users/${id}`);
    const acts = async () =>
      (await admin.all(`/api/v3/audit?target=${id}`)).map(({ action }) => action.split('.')[1]);
    await until('the fold', async () => (await acts())[0] === 'userDeleted');
    expect((await acts()).reverse()).toEqual([
      'userProvisioned',
      ...Array(5).fill('userChanged'),
      'userDeleted',
    ]);
  });

  it('have an act when they become the users of other people', async () => {
    const id = await newUser('gus@example.com', { externalId: 'gus' });
    const replaced = (path: string, value: string) => patch(`/Users/${id}`, { op: 'replace', path, value });
    await replaced('externalId', 'mallory');
    await replaced('externalId', 'mallory');
    await replaced('userName', 'gus@example.org');
    await replaced('displayName', 'Gus');
    expect((await signIn('nina', 'limited', ['risk-analysts', 'sales'])).status).toBe(200);
    const [{ id: person }] = (await scim('GET', '/Users', undefined, 'limited')).body.Resources.filter(
      ({ userName }: { userName: string }) => userName === 'nina',
    );
    const same = { schemas: [USER], userName: 'nina', externalId: 'nina', active: true };
    for (const _ of [1, 2]) await scim('PUT', `/Users/${person}`, same, 'limited');
    for (const target of [id, person])
      await scim('DELETE', `/Users/${target}`, undefined, target === id ? 'corp' : 'limited');
    const acts = async (target: string) =>
      (await admin.all(`/api/v3/audit?target=${target}`)).map(({ action, user }) => [action, user]).reverse();
    const act = (name: string) => [`credential.${name}`, 'token:scim'];
    await until('the fold', async () => (await acts(person)).at(-1)?.[0] === 'credential.userDeleted');
    expect(await acts(id)).toEqual([...Array(3).fill('userProvisioned'), 'userDeleted'].map(act));
    expect(await acts(person)).toEqual(['userProvisioned', 'userDeleted'].map(act));
  });

  it('end with their deletion', async () => {
    const id = await newUser('cleo@example.com', { externalId: 'cleo' });
    const [analysts] = (await filtered('Groups', 'displayName eq "risk-analysts"')).body.Resources;
    await patch(`/Groups/${analysts.id}`, { op: 'add', path: 'members', value: [{ value: id }] });
    const session = (await signIn('cleo')).body.token;
    expect(await scim('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null });
    await until('the end', async () => (await statusOf(session)) === 401);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    const { members } = (await scim('GET', `/Groups/${analysts.id}`)).body;
    expect(members.map(({ value }: { value: string }) => value)).not.toContain(id);
    expect(await signIn('cleo')).toMatchObject({ status: 403 });
  });

  it.each<[string, (id: string) => object]>([
    [
      'the $ref that Entra ID sends',
      (id) => ({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }),
    ],
    [
      'another $ref',
      (id) => ({ op: 'remove', path: 'members', value: { value: id, $ref: `../Users/${id}` } }),
    ],
    ['a display', (id) => ({ op: 'remove', path: 'members', value: [{ value: id, display: 'Ana' }] })],
    [
      'the type in small letters',
      (id) => ({ op: 'remove', path: 'members', value: [{ value: id, type: 'user' }] }),
    ],
    ['the id alone', (id) => ({ op: 'remove', path: 'members', value: [id.toUpperCase()] })],
    ['the members without a path', () => ({ op: 'replace', value: { members: [] } })],
    [
      'the members by the name of their schema',
      () => ({ op: 'replace', value: { [`${GROUP}:members`]: [] } }),
    ],
  ])('lose access at the removal from a group with %s', async (form, operation) => {
    const id = await newUser(`${form}@example.com`, { externalId: form });
    const kept = await newUser(`kept: ${form}@example.com`);
    const [analysts] = (await filtered('Groups', 'displayName eq "risk-analysts"')).body.Resources;
    await patch(`/Groups/${analysts.id}`, { op: 'replace', path: 'members', value: [{ value: id }] });
    const session = (await signIn(form)).body.token;
    expect(await statusOf(session)).toBe(200);
    const { body } = await patch(`/Groups/${analysts.id}`, operation(id), {
      op: 'add',
      path: 'members',
      value: [{ value: kept }],
    });
    expect(body.members).toMatchObject([{ value: kept, $ref: `${PUBLIC_URL}/scim/v2/corp/Users/${kept}` }]);
    await until('the end', async () => (await statusOf(session)) === 401);
  });

  it('are named with every group, and only where they are asked for', async () => {
    const ids = [await newUser('first@example.com'), await newUser('second@example.com')].sort();
    const group = await newGroup('asked', ids);
    const members = ids.map((value) => ({
      value,
      type: 'User',
      $ref: `${PUBLIC_URL}/scim/v2/corp/Users/${value}`,
    }));
    const groupOf = async (query: string) => (await scim('GET', `/Groups/${group}${query}`)).body;
    expect((await groupOf('')).members).toEqual(members);
    expect((await groupOf('?attributes=members.value')).members).toEqual(ids.map((value) => ({ value })));
    for (const query of ['?attributes=displayName', '?excludedAttributes=members'])
      expect(await groupOf(query)).not.toHaveProperty('members');
    const { groups } = (await scim('GET', `/Users/${ids[0]}`)).body;
    expect(groups).toEqual([
      { value: group, display: 'asked', $ref: `${PUBLIC_URL}/scim/v2/corp/Groups/${group}` },
    ]);
  });

  it('are those of one provider', async () => {
    const id = await newUser('only@example.com');
    expect((await scim('GET', `/Users/${id}`, undefined, 'limited')).status).toBe(404);
    expect((await scim('GET', '/Users', undefined, 'limited')).body.totalResults).toBe(0);
    const given = { displayName: 'foreign', members: [{ value: id }] };
    expect(await scim('POST', '/Groups', given, 'limited')).toMatchObject({ status: 400 });
    expect((await scim('GET', '/Users', undefined, 'unknown')).status).toBe(404);
  });

  it('are the people who have signed in before, not second ones', async () => {
    const groups = ['risk-analysts', 'sales'];
    expect((await signIn('hana', 'limited', groups)).status).toBe(200);
    // The claim was another one then.
    await gateway.database.pool.query(`update users set external_id = 'former' where name = 'limited:hana'`);
    const session = (await signIn('hana', 'limited', groups)).body.token;
    expect(await statusOf(session)).toBe(200);
    const given = { schemas: [USER], userName: 'hana@example.com', externalId: 'hana', displayName: 'Hana' };
    const { status, body } = await scim('POST', '/Users', given, 'limited');
    expect([status, body]).toEqual([201, expect.objectContaining({ ...given, active: true })]);
    expect((await admin.all('/api/v3/users')).find((user) => user.id === body.id)).toMatchObject({
      name: 'limited:hana',
      displayName: 'Hana',
      grants: ['analyst'],
      sessions: 2,
    });
    const taken = { status: 409, body: { scimType: 'uniqueness' } };
    expect(await scim('POST', '/Users', { ...given, userName: 'hana-2' }, 'limited')).toMatchObject(taken);
    const other = (await scim('POST', '/Users', { ...given, userName: 'h', externalId: 'h' }, 'limited'))
      .body;
    expect(await scim('PUT', `/Users/${other.id}`, { ...given, userName: 'h' }, 'limited')).toMatchObject(
      taken,
    );
    const Operations = [{ op: 'replace', path: 'externalId', value: 'hana' }];
    const patched = { schemas: [PATCH_OP], Operations };
    expect(await scim('PATCH', `/Users/${other.id}`, patched, 'limited')).toMatchObject(taken);
    await scim('PUT', `/Users/${body.id}`, { ...given, active: false }, 'limited');
    await until('the end', async () => (await statusOf(session)) === 401);
    expect((await signIn('hana', 'limited', groups)).status).toBe(403);
  });

  it('may have the name of a person who has signed in before, and is another one', async () => {
    expect((await signIn('bob', 'limited', ['risk-analysts', 'sales'])).status).toBe(200);
    const given = { schemas: [USER], userName: 'bob', externalId: 'another bob' };
    const { status, body } = await scim('POST', '/Users', given, 'limited');
    expect([status, body]).toEqual([201, expect.objectContaining({ userName: 'bob' })]);
    const names = (await admin.all('/api/v3/users')).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('limited:bob'))).toEqual([
      'limited:bob',
      expect.stringMatching(/^limited:bob#/),
    ]);
    expect(await scim('POST', '/Users', { ...given, externalId: 'a third' }, 'limited')).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', detail: 'another user of this provider has this userName' },
    });
  });

  it.each(['sign-in', 'check'])('a %s during a change of groups writes no former rights', async (what) => {
    const subject = `ivo-${what}`;
    const id = await newUser(`${subject}@example.com`, { externalId: subject });
    const [analysts] = (await filtered('Groups', 'displayName eq "risk-analysts"')).body.Resources;
    await patch(`/Groups/${analysts.id}`, { op: 'add', path: 'members', value: [{ value: id }] });
    expect((await signIn(subject)).status).toBe(200);
    const holder = await gateway.database.pool.connect();
    let again: Promise<unknown> = Promise.resolve();
    try {
      await holder.query('begin');
      // As a change of a group does.
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('users of corp', 0))`);
      await holder.query('update user_groups set members = array_remove(members, $1)', [id]);
      await holder.query(`update users set grants = '{}' where id = $1`, [id]);
      if (what === 'check') {
        await gateway.database.pool.query('update sessions set check_at = now() where user_id = $1', [id]);
        // Another sign-in lets the gateway look at once.
        await signIn('juno', 'limited', ['risk-analysts', 'sales']);
      } else {
        again = signIn(subject);
      }
      await untilLockWait('the request waits for the change', gateway.database);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    await again;
    // While a check is in progress, its session is leased for a minute.
    const checks = `select 1 from sessions where user_id = $1 and check_at > now() + interval '30 seconds'`;
    const inProgress = async () => (await gateway.database.pool.query(checks, [id])).rowCount;
    await until('the end of the check', async () => (await inProgress()) === 0);
    const { rows } = await gateway.database.pool.query('select grants from users where id = $1', [id]);
    expect(rows).toEqual([{ grants: [] }]);
  });

  it.each(['POST', 'PATCH', 'DELETE'])(
    'a %s of a group during a change of the mapping gives nothing of the former one',
    async (method) => {
      const provider = `mapped-${method.toLowerCase()}`;
      const { pool } = gateway.database;
      const settings = (role: string) =>
        JSON.stringify({ grants: { a: [role], b: [role] }, groupsFrom: 'scim' });
      await pool.query(`insert into identity_providers values ($1, $1, $2, $3, null, 1, now(), now())`, [
        provider,
        server.issuer,
        settings('admin'),
      ]);
      const id = (await scim('POST', '/Users', { userName: 'kim' }, provider)).body.id;
      const of = (displayName: string) => ({ schemas: [GROUP], displayName, members: [{ value: id }] });
      const group = (await scim('POST', '/Groups', of('a'), provider)).body.id;
      await scim('POST', '/Groups', of('b'), provider);
      const renamed = {
        schemas: [PATCH_OP],
        Operations: [{ op: 'replace', path: 'displayName', value: 'c' }],
      };
      const write = () =>
        method === 'POST'
          ? scim(method, '/Groups', of('c'), provider)
          : scim(method, `/Groups/${group}`, method === 'PATCH' ? renamed : undefined, provider);
      const holder = await pool.connect();
      let written: Promise<Answer>;
      try {
        await holder.query('begin');
        // As a change of the provider does.
        await holder.query('update identity_providers set settings = $2, generation = 2 where id = $1', [
          provider,
          settings('viewer'),
        ]);
        written = write();
        await Promise.race([written, untilLockWait('the request waits for the change', gateway.database)]);
        await holder.query('commit');
      } finally {
        holder.release();
      }
      expect((await written).status).toBeLessThan(300);
      const { rows } = await pool.query('select grants from users where id = $1', [id]);
      expect(rows).toEqual([{ grants: ['viewer'] }]);
      await pool.query('delete from identity_providers where id = $1', [provider]);
    },
  );

  it('have the rights of a changed mapping at once', async () => {
    const settings = { clientId: 'posture', grants: { a: ['analyst'], b: ['viewer'] }, groupsFrom: 'scim' };
    await gateway.database.pool.query(
      `insert into identity_providers values ('changed', 'Changed', $1, $2, null, 1, now(), now())`,
      [server.issuer, JSON.stringify(settings)],
    );
    const ids = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const { id } = (await scim('POST', '/Users', { userName: name }, 'changed')).body;
        await scim('POST', '/Groups', { displayName: name, members: [{ value: id }] }, 'changed');
        return id;
      }),
    );
    const departments = { a: ['Sales'] };
    const path = '/api/v3/identity-providers/changed';
    expect((await admin.request('PATCH', path, JSON.stringify({ departments }))).status).toBe(200);
    const users = await admin.all('/api/v3/users');
    expect(ids.map((id) => users.find((user) => user.id === id))).toMatchObject([
      { grants: ['analyst'], departments: ['Sales'] },
      { grants: [], departments: [] },
    ]);
    await gateway.database.pool.query(`update identity_providers set removed_at = now()`);
  });

  it('are provisioned also while the secret of their provider is missing', async () => {
    await gateway.database.pool.query(
      `insert into identity_providers values ('locked', 'Locked', $1, '{"grants": {"a": ["analyst"]}, "groupsFrom": "scim"}',
         null, 1, now(), now())`,
      [server.issuer],
    );
    const { status, body } = await scim('POST', '/Users', { userName: 'gil' }, 'locked');
    expect(status).toBe(201);
    const group = { displayName: 'a', members: [{ value: body.id }] };
    expect((await scim('POST', '/Groups', group, 'locked')).status).toBe(201);
    expect((await admin.all('/api/v3/users')).find((user) => user.id === body.id).grants).toEqual([
      'analyst',
    ]);
    await gateway.database.pool.query(`update identity_providers set removed_at = now()`);
    expect((await scim('GET', '/Users', undefined, 'locked')).status).toBe(404);
  });
});

describe('requests of identity providers', () => {
  it('of Entra ID: users with attributes that the service does not keep', async () => {
    const missing = await filtered('Users', 'userName eq "dana@example.com"');
    expect(missing.body).toMatchObject({ totalResults: 0, Resources: [] });
    const { status, headers, body } = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: 'dana-object-id',
      userName: 'dana@example.com',
      active: true,
      displayName: 'Dana',
      emails: [{ primary: true, type: 'work', value: 'dana@example.com' }],
      name: { formatted: 'Dana D', familyName: 'D', givenName: 'Dana' },
      [ENTERPRISE]: { department: 'Sales' },
      meta: { resourceType: 'User' },
    });
    expect([status, headers.get('location'), headers.get('content-type')]).toEqual([
      201,
      `${PUBLIC_URL}/scim/v2/corp/Users/${body.id}`,
      'application/scim+json; charset=utf-8',
    ]);
    expect(body).not.toHaveProperty('emails');
    const found = await filtered('Users', 'userName eq "DANA@example.com"');
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id }] });
    const changed = await patch(
      `/Users/${body.id}`,
      { op: 'Replace', path: 'displayName', value: 'Dana E' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'd@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'E' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Marketing' },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: { displayName: 'Dana E', userName: 'dana@example.com' },
    });
    const group = await newGroup('entra');
    await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: body.id }] });
    const isMember = `id eq "${group}" and members eq "${body.id}"`;
    expect((await filtered('Groups', isMember, '&excludedAttributes=members')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ displayName: 'entra' }],
    });
    const gone = await patch(`/Groups/${group}`, {
      op: 'Remove',
      path: 'members',
      value: [{ value: body.id }],
    });
    expect(gone.body).not.toHaveProperty('members');
    expect((await filtered('Groups', isMember)).body.totalResults).toBe(0);
  });

  it('of large groups are listed in pages that end early, so that their members fit into memory', async () => {
    await gateway.database.pool.query(
      `insert into user_groups (id, provider, display_name, members, created_at, changed_at)
       select gen_random_uuid(), 'limited', 'large ' || n,
              array(select gen_random_uuid() from generate_series(1, n * 7000)), now() + make_interval(secs => n), now()
       from generate_series(1, 4) n`,
    );
    const pages: [startIndex: number, names: string[]][] = [];
    for (let startIndex = 1; startIndex <= 4; ) {
      const { body } = await scim('GET', `/Groups?startIndex=${startIndex}&count=200`, undefined, 'limited');
      expect(body).toMatchObject({ totalResults: 4, itemsPerPage: body.Resources.length });
      pages.push([startIndex, body.Resources.map(({ displayName }: { displayName: string }) => displayName)]);
      startIndex += body.itemsPerPage;
    }
    // 7,000, 14,000, 21,000 and 28,000 members.
    expect(pages).toEqual([
      [1, ['large 1']],
      [2, ['large 2']],
      [3, ['large 3']],
      [4, ['large 4']],
    ]);
    expect((await scim('GET', '/Groups?count=0', undefined, 'limited')).body).toMatchObject({
      totalResults: 4,
      itemsPerPage: 0,
    });
    await gateway.database.pool.query(`delete from user_groups where provider = 'limited'`);
  });

  it('of Okta: whole users, and groups with their id', async () => {
    expect((await scim('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 2,
    });
    const given = {
      schemas: [USER],
      userName: 'eve@example.com',
      name: { givenName: 'Eve', familyName: 'E' },
      emails: [{ primary: true, value: 'eve@example.com', type: 'work' }],
      displayName: 'Eve',
      locale: 'en-US',
      externalId: 'eve',
      groups: [],
      password: 'never stored',
      active: true,
    };
    const { body } = await scim('POST', '/Users', given);
    expect(await scim('POST', '/Users', given)).toMatchObject({
      status: 409,
      body: { status: '409', scimType: 'uniqueness' },
    });
    const put = await scim('PUT', `/Users/${body.id}`, {
      ...given,
      id: body.id,
      displayName: 'Eve F',
      active: false,
    });
    expect(put).toMatchObject({ status: 200, body: { displayName: 'Eve F', active: false } });
    const isListed = async (active: string) =>
      (await filtered('Users', `id eq "${body.id}" and active eq ${active}`)).body.totalResults === 1;
    for (const active of ['false', '"False"', '"false"'])
      expect([active, await isListed(active)]).toEqual([active, true]);
    for (const active of ['true', '"True"', '"true"'])
      expect([active, await isListed(active)]).toEqual([active, false]);
    const group = await newGroup('okta', [body.id]);
    const renamed = await patch(`/Groups/${group}`, {
      op: 'replace',
      value: { id: group, displayName: 'okta renamed' },
    });
    expect(renamed.body).toMatchObject({ displayName: 'okta renamed', members: [{ value: body.id }] });
    const members = {
      op: 'replace',
      path: 'members',
      value: [{ value: body.id, display: 'eve@example.com' }],
    };
    expect((await patch(`/Groups/${group}`, members)).status).toBe(200);
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204);
  });

  it('keep a rename of a user out of the log, whose names never change', async () => {
    const id = await newUser('before@example.com');
    const renamed = await patch(`/Users/${id}`, {
      op: 'replace',
      path: 'userName',
      value: 'after@example.com',
    });
    expect(renamed.body.userName).toBe('after@example.com');
    expect((await admin.all('/api/v3/users')).find((user) => user.id === id).name).toBe(
      'corp:before@example.com',
    );
  });
});

describe('what is not good', () => {
  it.each([
    ['POST', '/Users', '{', 400, undefined],
    ['POST', '/Users', [], 400, 'invalidSyntax'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 7 }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: '' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'x'.repeat(101) }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'bell\u0007' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'x', active: 'perhaps' }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: ID }] }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: 'no id' }] }, 400, 'invalidValue'],
    [
      'PATCH',
      `/Users/${ID}`,
      { schemas: [PATCH_OP], Operations: [{ op: 'add', value: {} }] },
      404,
      undefined,
    ],
    ['PUT', `/Users/${ID}`, { userName: 'x' }, 404, undefined],
    ['GET', '/Users/no-id', undefined, 404, undefined],
    ['GET', '/Users?filter=userName%20co%20%22a%22', undefined, 400, 'invalidFilter'],
    [
      'GET',
      '/Users?filter=userName%20eq%20%22a%22%20or%20active%20eq%20true',
      undefined,
      400,
      'invalidFilter',
    ],
    ['GET', '/Users?filter=password%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=active%20eq%20%22x%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=userName%20eq%20true', undefined, 400, 'invalidFilter'],
    ['GET', '/Groups?filter=displayName%20eq%20true', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=(', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=userName%20eq%20%22%00%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=__proto__.zz%20eq%20%221%22', undefined, 400, 'invalidFilter'],
    ['GET', `/Users?filter=%22${'%0A'.repeat(60)}`, undefined, 400, 'invalidFilter'],
    ['GET', '/Users?attributes=__proto__.get', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['GET', '/Nothing', undefined, 404, undefined],
    ['POST', '/Bulk', {}, 501, undefined],
    ['DELETE', '/Schemas', undefined, 405, undefined],
  ])('%s %s with %j is a %i in the form of SCIM', async (method, path, body, status, scimType) => {
    const answer = await scim(method, path, body);
    expect(answer).toMatchObject({
      status,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        detail: expect.any(String),
      },
    });
    expect(answer.body.scimType).toBe(scimType);
  });

  it.each([
    [[{ op: 'destroy', path: 'active' }], 'invalidSyntax'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'replace', path: 'colour', value: 'red' }], 'invalidPath'],
    [[{ op: 'remove', path: 'groups[__proto__.zz eq "1"]' }], 'invalidPath'],
    [[{ op: 'remove', path: 'groups', value: [{ '__proto__.zz': 1 }] }], 'invalidPath'],
    [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
    [[{ op: 'replace', path: 'active', value: 7 }], 'invalidValue'],
    [[], 'invalidValue'],
    [['x'], 'invalidValue'],
  ])('a PATCH with %j changes nothing', async (Operations, scimType) => {
    const id = await newUser(`patched-${JSON.stringify(Operations).length}-${scimType}`);
    const before = (await scim('GET', `/Users/${id}`)).body;
    const good = { op: 'replace', path: 'active', value: false };
    const operations = Operations.length === 0 ? [] : [good, ...Operations];
    expect(
      await scim('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations: operations }),
    ).toMatchObject({
      status: 400,
      body: { scimType },
    });
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(before);
  });

  it('find nothing under a text that is no id', async () => {
    for (const kind of ['Users', 'Groups']) {
      for (const id of ['%00', 'x', '%F0%9F%98%80', `${'0'.repeat(150)}`]) {
        const bodies = {
          GET: undefined,
          DELETE: undefined,
          PUT: kind === 'Users' ? { schemas: [USER], userName: 'x' } : { schemas: [GROUP], displayName: 'x' },
          PATCH: { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] },
        };
        for (const [method, body] of Object.entries(bodies)) {
          expect([method, kind, id, (await scim(method, `/${kind}/${id}`, body)).status]).toEqual([
            ...[method, kind, id],
            404,
          ]);
        }
      }
    }
  });

  it('needs the scopes: to read, and to change', async () => {
    const given = JSON.stringify({ name: 'scim-reader', scopes: ['users:read'] });
    const reader = (await admin.request('POST', '/api/v3/tokens', given)).body.token;
    const ask = async (method: string, authorization: string) => {
      const headers = { authorization };
      const url = `${gateway.url}/scim/v2/corp/Users`;
      const response = await fetch(url, { method, headers, ...(method === 'POST' && { body: '{}' }) });
      return [response.status, ((await response.json()) as { schemas: string[] }).schemas];
    };
    const error = ['urn:ietf:params:scim:api:messages:2.0:Error'];
    expect(await ask('GET', `Bearer ${reader}`)).toEqual([200, expect.anything()]);
    expect(await ask('POST', `Bearer ${reader}`)).toEqual([403, error]);
    expect(await ask('GET', 'Bearer none')).toEqual([401, error]);
    const analyst = await gateway.client('analyst');
    expect(await ask('GET', analyst.authorization)).toEqual([403, error]);
  });
});
