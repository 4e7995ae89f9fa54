import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LONG_TICKET_URL = `https://t.example/${'x'.repeat(2000)}`;
const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('analyst');
});
afterAll(() => gateway.stop());

const status = (complianceStatus: 'pass' | 'fail') => ({
  securityContext: { type: 'va', status: { complianceStatus }, severity: { value: 5 } },
});

async function signal(host: string, complianceStatus: 'pass' | 'fail' = 'fail'): Promise<void> {
  const entry = plainSignal(`${host} port`, host, status(complianceStatus));
  const { body } = await client.zip(await zipOf({ 'signal.json': entry }));
  await client.folded(body.uploadId);
}

/** A new finding on a separate host. */
async function finding(host: string) {
  await signal(host);
  const [found] = await client.all(`/api/v3/findings?name=${host}%20port`);
  return found;
}

const post = (path: string, body: object) =>
  client.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
const act = (id: string, name: string, body: object) => post(`/api/v3/findings/${id}/${name}`, body);
const ids = async (query: string) =>
  (await client.all(`/api/v3/findings?${query}`)).map(({ id }: { id: string }) => id);

const TICKET = { url: 'https://tickets.example/browse/RISK-42', label: 'RISK-42' };

describe('triage of a finding', () => {
  it.each([
    ['assign', { assignee: { type: 'user', name: ' ana ' } }, { assignee: { type: 'user', name: 'ana' } }],
    ['assign', { assignee: { type: 'team', name: 'blue' } }, { assignee: { type: 'team', name: 'blue' } }],
    ['tags', { add: ['Urgent', 'dmz', 'dmz'] }, { tags: ['dmz', 'urgent'] }],
    ['due', { due: '2026-06-30' }, { due: '2026-06-30T23:59:59.999Z', dueReason: null, overdue: false }],
    [
      'due',
      { due: '2026-01-01T02:00:00+01:00', reason: 'law' },
      { due: '2026-01-01T01:00:00.000Z', dueReason: 'law', overdue: true },
    ],
    ['tickets', { attach: [TICKET] }, { tickets: [TICKET] }],
    ['comments', { text: 'Patched on **web01**' }, { comments: 1 }],
  ])('answers the finding after the act: %s %j', async (name, body, expected) => {
    const { id, version } = await finding(
      `one-${name}-${Object.values(body).length}-${JSON.stringify(body).length}`,
    );
    const answer = await act(id, name, { ...body, version });
    expect(answer).toMatchObject({
      status: 200,
      body: { id, state: 'Failed', version: version + 1, ...expected },
    });
    expect(await client.get(`/api/v3/findings/${id}`)).toMatchObject(expected);
    const [item] = await client.all(`/api/v3/findings?assetId=${answer.body.assetId}`);
    expect(item).toMatchObject(expected);
    const again = await act(id, name, { ...body, version });
    expect([again.status, again.body.message]).toEqual([
      409,
      expect.stringMatching(/changed since `version`/),
    ]);
  });

  it('is in the history, as of an instant, in the audit trail and in exports', async () => {
    const { id } = await finding('history');
    now += DAY_MS;
    client = await gateway.client('analyst');
    await act(id, 'assign', { assignee: { type: 'user', name: 'ana' } });
    await act(id, 'tags', { add: ['urgent'] });
    await act(id, 'due', { due: '2026-06-30', reason: 'law' });
    await act(id, 'tickets', { attach: [TICKET] });
    await act(id, 'comments', { text: 'look' });
    const history = await client.all(`/api/v3/findings/${id}/history`);
    expect(history.map(({ change, reason, changes }) => [change, reason, changes])).toEqual([
      ['created', null, expect.anything()],
      [
        'assigned',
        'user',
        [{ field: 'assignee', key: null, before: null, after: { type: 'user', name: 'ana' } }],
      ],
      ['tagged', 'user', [{ field: 'tags', key: null, before: null, after: ['urgent'] }]],
      [
        'dueSet',
        'user',
        [
          { field: 'due', key: null, before: null, after: '2026-06-30T23:59:59.999Z' },
          { field: 'dueReason', key: null, before: null, after: 'law' },
        ],
      ],
      [
        'ticketsChanged',
        'user',
        [{ field: 'tickets', key: null, before: null, after: [`RISK-42 ${TICKET.url}`] }],
      ],
      ['commented', 'user', [{ field: 'comments', key: null, before: null, after: 1 }]],
    ]);
    const past = new Date(now - 1).toISOString();
    expect(await client.get(`/api/v3/findings/${id}?asOf=${past}`)).toMatchObject({
      assignee: null,
      tags: [],
      due: null,
      overdue: false,
      tickets: [],
      comments: 0,
    });
    const acts = await client.all(`/api/v3/audit?target=${id}`);
    expect(acts.map(({ action }) => action).sort()).toEqual([
      'finding.assigned',
      'finding.commented',
      'finding.dueSet',
      'finding.tagged',
      'finding.ticketsChanged',
    ]);
    const csv = await fetch(`${client.url}/api/v3/findings/export?format=csv&name=history%20port`, {
      headers: { authorization: client.authorization },
    });
    expect(await csv.text()).toMatch(/user,ana,urgent,2026-06-30T23:59:59\.999Z,law,false,https:\/\/tickets/);
  });

  it('changes nothing if the request names nothing', async () => {
    const { id, version } = await finding('nothing');
    for (const name of ['tags', 'tickets']) {
      expect(await act(id, name, { version })).toMatchObject({ status: 200, body: { version } });
    }
  });

  it('survives signals', async () => {
    const { id } = await finding('signals');
    await act(id, 'assign', { assignee: { type: 'team', name: 'blue' } });
    await signal('signals', 'pass');
    expect(await client.get(`/api/v3/findings/${id}`)).toMatchObject({
      state: 'Qualified',
      assignee: { type: 'team', name: 'blue' },
    });
  });

  it('is taken back with null and with remove and detach', async () => {
    const { id } = await finding('back');
    await act(id, 'assign', { assignee: { type: 'user', name: 'ana' } });
    await act(id, 'tags', { add: ['a', 'b'] });
    await act(id, 'due', { due: '2026-06-30' });
    await act(id, 'tickets', { attach: [TICKET] });
    await act(id, 'assign', { assignee: null });
    await act(id, 'tags', { remove: ['A'] });
    await act(id, 'due', { due: null });
    const { body } = await act(id, 'tickets', { detach: [TICKET.url] });
    expect(body).toMatchObject({ assignee: null, tags: ['b'], due: null, tickets: [] });
  });
});

describe('a request that is not valid', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `t${i}`);
  it.each([
    ['assign', {}, /^assignee must be null or an object/],
    ['assign', { assignee: 'ana' }, /^assignee must be null or an object/],
    ['assign', { assignee: { type: 'robot', name: 'x' } }, /^assignee\.type must be one of/],
    ['assign', { assignee: { type: 'user', name: ' ' } }, /^assignee\.name must not be empty/],
    ['assign', { assignee: { type: 'user', name: 'x'.repeat(257) } }, /^assignee\.name must be/],
    ['assign', { assignee: { type: 'user', name: 'x', id: 1 } }, /assignee\.id is unknown/],
    ['assign', { assignee: null, version: 0 }, /^version must/],
    ['tags', { add: 'a' }, /^add must be an array/],
    ['tags', { add: ['two words'] }, /^each value in add must be 1 to 50 letters/],
    ['tags', { add: [7] }, /^each value in add/],
    ['tags', { remove: ['x'.repeat(51)] }, /^each value in remove/],
    ['tags', { add: many(21) }, /^add must contain no more than 20/],
    ['tags', { add: ['a'], remove: ['A'] }, /^add and remove both contain a$/],
    ['due', {}, /^due must be null, a date/],
    ['due', { due: 'tomorrow' }, /^due must be null, a date/],
    ['due', { due: '2026-02-30' }, /^due must be null, a date/],
    ['due', { due: 5 }, /^due must be null, a date/],
    ['due', { due: '2026-06-30T12:00:00' }, /^due must be null, a date/],
    ['due', { due: null, reason: 'x'.repeat(4_001) }, /^reason must be/],
    [
      'tickets',
      { attach: [{ url: 'http://t.example/1', label: 'x' }] },
      /^attach\.0\.url must be an absolute https/,
    ],
    ['tickets', { attach: [{ url: 'javascript:alert(1)', label: 'x' }] }, /^attach\.0\.url must be/],
    ['tickets', { attach: [{ url: 'https://u:p@t.example/1', label: 'x' }] }, /^attach\.0\.url must be/],
    [
      'tickets',
      { attach: [{ url: `https://t/${'x'.repeat(2_000)}`, label: 'x' }] },
      /^attach\.0\.url must be/,
    ],
    ['tickets', { attach: [{ url: TICKET.url }] }, /^attach\.0\.label must be/],
    ['tickets', { attach: [TICKET, TICKET] }, /^attach contains .* twice$/],
    ['tickets', { attach: [TICKET], detach: [TICKET.url] }, /^attach and detach both contain/],
    ['tickets', { detach: [LONG_TICKET_URL] }, /^each value in detach must be shorter/],
    ['comments', { text: ' ' }, /^text must not be empty/],
    ['comments', { text: 'x'.repeat(10_001) }, /^text must be/],
    [
      'comments',
      {
        text: many(21)
          .map((name) => `@${name}`)
          .join(' '),
      },
      /^text must mention at most 20 names/,
    ],
    ['comments', { text: 'x', html: true }, /html is unknown/],
  ])('is a 400 that names the field: %s %#', async (name, body, message) => {
    const answer = await act(NOBODY, name, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  it.each([
    [`assignee=${'x'.repeat(257)}`, /^assignee must be/],
    ['tag=two%20words', /^tag must be/],
    ['dueBefore=2026', /^dueBefore must be/],
    ['overdue=true', /^overdue is unknown/],
    ['assigned=maybe', /^assigned must be/],
  ])('is a 400 in a filter, %#', async (query, message) => {
    const { status, body } = await client.request('GET', `/api/v3/findings?${query}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is a 404 for an unknown finding, and a 409 for a retired one and for too many tags', async () => {
    expect((await act(NOBODY, 'assign', { assignee: null })).status).toBe(404);
    expect((await client.request('GET', `/api/v3/findings/${NOBODY}/comments`)).status).toBe(404);
    const { id } = await finding('retired');
    await act(id, 'tags', { add: many(20) });
    const full = await act(id, 'tags', { add: ['more'] });
    expect([full.status, full.body.message]).toEqual([409, expect.stringMatching(/20 tags/)]);
    const revoked = plainSignal('retired port', 'retired', { ...status('fail'), revoked: true });
    const { body } = await client.zip(await zipOf({ 'signal.json': revoked }));
    await client.folded(body.uploadId);
    const answer = await act(id, 'assign', { assignee: null });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(/is Retired/)]);
  });

  it('needs the scope findings:triage; comments are read with findings:read', async () => {
    const { id } = await finding('scope');
    const viewer = await gateway.client('viewer');
    const answer = await viewer.request('POST', `/api/v3/findings/${id}/assign`, '{}');
    expect(answer.status).toBe(403);
    expect((await viewer.request('GET', `/api/v3/findings/${id}/comments`)).status).toBe(200);
  });
});

describe('comments', () => {
  it('are listed in pages, oldest first, with who wrote them and the users with an account that they mention', async () => {
    const { id } = await finding('comments');
    await act(id, 'comments', { text: 'ask @analyst, @ghost and @analyst; not x@admin or @admin' });
    await act(id, 'comments', { text: 'second' });
    const first = await client.get(`/api/v3/findings/${id}/comments?limit=1`);
    expect(first.items).toEqual([
      {
        id: '1',
        at: new Date(now).toISOString(),
        by: 'analyst',
        text: 'ask @analyst, @ghost and @analyst; not x@admin or @admin',
        mentions: ['analyst', 'admin'],
      },
    ]);
    const second = await client.get(`/api/v3/findings/${id}/comments?limit=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ items: [{ text: 'second', mentions: [] }], nextCursor: null });
  });

  it.each([
    ['ann+ops', 'ann', '@ann+ops, look.'],
    ['svc_', 'svc', 'see @svc_'],
    ['eve', 'smith', "@eve's host. @eve.smith is another"],
  ])('mention %s and not %s in "%s" (R-TRIAGE-5)', async (username, other, text) => {
    const admin = await gateway.client('admin');
    for (const name of [username, other]) {
      const body = JSON.stringify({ username: name, role: 'viewer' });
      expect((await admin.request('POST', '/api/v3/credentials', body)).status).toBe(200);
    }
    const { id } = await finding(`mention-of-${other}`);
    await act(id, 'comments', { text });
    expect(await client.all(`/api/v3/findings/${id}/comments`)).toMatchObject([{ mentions: [username] }]);
  });

  it('are found by an id in upper case, as they may be written by it', async () => {
    const id = (await finding('comments-upper')).id.toUpperCase();
    expect((await act(id, 'comments', { text: 'look' })).status).toBe(200);
    expect(await client.all(`/api/v3/findings/${id}/comments`)).toMatchObject([{ text: 'look' }]);
  });

  it('that were refused are not listed, nor are those after an instant', async () => {
    const { id, version } = await finding('comments-refused');
    await act(id, 'comments', { text: 'one', version });
    expect((await act(id, 'comments', { text: 'two', version })).status).toBe(409);
    const at = new Date(now).toISOString();
    now += DAY_MS;
    client = await gateway.client('analyst');
    await act(id, 'comments', { text: 'three' });
    const texts = async (query: string) =>
      (await client.all(`/api/v3/findings/${id}/comments${query}`)).map(({ text }: { text: string }) => text);
    expect(await texts('')).toEqual(['one', 'three']);
    expect(await texts(`?asOf=${at}`)).toEqual(['one']);
  });
});

describe('lists', () => {
  let a: string;
  let b: string;
  let c: string;
  let past: string;
  beforeAll(async () => {
    for (const host of ['list-a', 'list-b', 'list-c']) await signal(host);
    [a, b, c] = (await Promise.all(
      ['list-a', 'list-b', 'list-c'].map(async (host) => (await ids(`name=${host}%20port`))[0]),
    )) as [string, string, string];
    await act(a, 'assign', { assignee: { type: 'user', name: 'lena' } });
    await act(b, 'assign', { assignee: { type: 'team', name: 'lena' } });
    await act(a, 'tags', { add: ['list', 'x'] });
    await act(b, 'tags', { add: ['list'] });
    await act(a, 'due', { due: new Date(now - DAY_MS).toISOString() });
    await act(b, 'due', { due: new Date(now + DAY_MS).toISOString() });
    now += DAY_MS / 2;
    past = new Date(now).toISOString();
    now += DAY_MS / 4;
    client = await gateway.client('analyst');
    await act(c, 'tags', { add: ['list'] });
  });

  it.each([
    ['assignee=lena', 'ab', 'ab'],
    ['assigned=true', 'ab', 'ab'],
    ['assigned=false', 'c', 'c'],
    ['tag=LIST', 'abc', 'ab'],
    ['tag=x', 'a', 'a'],
    ['sla=overdue', 'a', 'a'],
    ['sla=overdue&state=Qualified', '', ''],
    [`dueBefore=${new Date(BEGIN + 100 * DAY_MS).toISOString()}`, 'ab', 'ab'],
    ['sort=due', 'ab', 'ab'],
    ['sort=-due', 'ba', 'ba'],
  ])('%s finds %s, and as of an instant %s', async (query, present, before) => {
    const named = (found: string[]) => {
      const names = found.map((id) => ({ [a]: 'a', [b]: 'b', [c]: 'c' })[id]);
      return (query.includes('sort') ? names : names.sort()).join('');
    };
    expect(named(await ids(`name=list-&${query}`))).toBe(present);
    expect(named(await ids(`name=list-&${query}&asOf=${past}`))).toBe(before);
    if (query.includes('sort')) return;
    const { total } = await client.get(`/api/v3/findings/counts?name=list-&${query}`);
    expect(total).toBe(present.length);
  });

  it('sorted by due date have only findings with one on each page', async () => {
    const first = await client.get('/api/v3/findings?name=list-&sort=-due&limit=1');
    const path = `/api/v3/findings?name=list-&sort=-due&limit=1&cursor=${first.nextCursor}`;
    const second = await client.get(path);
    expect([first.items[0].id, second.items[0].id, second.nextCursor]).toEqual([b, a, null]);
  });

  it('are overdue as of an instant', async () => {
    now += DAY_MS;
    client = await gateway.client('analyst');
    expect((await ids('name=list-&sla=overdue')).sort()).toEqual([a, b].sort());
    expect(await ids(`name=list-&sla=overdue&asOf=${past}`)).toEqual([a]);
  });
});

const many = (body: object) => post('/api/v3/findings/acts', body);

describe('one act on many findings', () => {
  let found: { id: string; version: number }[];
  let prefix = 0;
  const idsOf = () => found.map(({ id }) => id);
  beforeEach(async () => {
    prefix += 1;
    for (const host of ['a', 'b', 'c']) await signal(`many${prefix}${host}`, host === 'c' ? 'pass' : 'fail');
    found = await client.all(`/api/v3/findings?name=many${prefix}&sort=name`);
  });

  it.each([
    ['assign', { assignee: { type: 'user', name: 'ana' } }, { assignee: { type: 'user', name: 'ana' } }],
    ['tags', { add: ['urgent'] }, { tags: ['urgent'] }],
    ['due', { due: '2026-06-30', reason: 'law' }, { due: '2026-06-30T23:59:59.999Z', dueReason: 'law' }],
    ['tickets', { attach: [TICKET] }, { tickets: [TICKET] }],
    ['comments', { text: 'ask @analyst' }, { comments: 1 }],
  ])('previews, performs and repeats: %s', async (name, given, expected) => {
    const ids = idsOf();
    const before = await Promise.all(ids.map((id) => client.get(`/api/v3/findings/${id}`)));
    const dry = await many({ ids, [name]: given, dryRun: true });
    expect(dry).toMatchObject({
      status: 200,
      body: { dryRun: true, matching: 3, done: 3, unchanged: 0, pending: 0, refusedBy: {}, refused: [] },
    });
    expect(dry.body.examples).toEqual(
      before.map(({ id, name: title, assetName }) => ({ id, name: title, assetName })),
    );
    expect(await Promise.all(ids.map((id) => client.get(`/api/v3/findings/${id}`)))).toEqual(before);

    const done = await many({ ids, [name]: given });
    expect(done.body).toMatchObject({ dryRun: false, matching: 3, done: 3, unchanged: 0, refused: [] });
    for (const { id, version } of before) {
      expect(await client.get(`/api/v3/findings/${id}`)).toMatchObject({ version: version + 1, ...expected });
    }
    const acts = await client.all(`/api/v3/audit?requestId=${done.body.requestId}`);
    expect(acts.map(({ target, user }) => `${target} ${user}`).sort()).toEqual(
      ids.map((id) => `${id} analyst`).sort(),
    );

    const again = await many({ ids, [name]: given, dryRun: true });
    const isComment = name === 'comments';
    expect(again.body).toMatchObject({ done: isComment ? 3 : 0, unchanged: isComment ? 0 : 3 });
  });

  it('reports each finding that is refused, and changes the others', async () => {
    const [a, b, c] = found as [(typeof found)[0], (typeof found)[0], (typeof found)[0]];
    await act(a.id, 'tags', { add: ['moved'] });
    const body = {
      ids: [NOBODY, a.id.toUpperCase(), b.id, c.id],
      versions: { [a.id]: a.version, [b.id]: b.version },
      accept: { rationale: 'known' },
    };
    const refused = [
      { id: NOBODY, name: null, assetName: null, reason: 'unknown' },
      { id: a.id, name: `many${prefix}a port`, assetName: `many${prefix}a`, reason: 'stale' },
      { id: c.id, name: `many${prefix}c port`, assetName: `many${prefix}c`, reason: 'notFailed' },
    ];
    const expected = { matching: 4, done: 1, refused, refusedBy: { unknown: 1, stale: 1, notFailed: 1 } };
    expect((await many({ ...body, dryRun: true })).body).toMatchObject({ dryRun: true, ...expected });
    expect((await many(body)).body).toMatchObject({ dryRun: false, ...expected });
    expect(await ids(`name=many${prefix}&state=AcceptedFailed`)).toEqual([b.id]);
    const reverted = await many({ ids: [a.id, b.id], revert: { to: 'NotAssessed' } });
    expect(reverted.body).toMatchObject({ done: 1, refusedBy: { notAccepted: 1 } });
  });

  it('decides on a finding whose acceptance has ended as the fold will', async () => {
    const until = new Date(now + 1).toISOString();
    expect((await many({ ids: idsOf(), accept: { rationale: 'known', until } })).body.done).toBe(2);
    now += 1;
    const filter = { name: `many${prefix}` };
    const reverted = { matching: 3, done: 0, refusedBy: { notAccepted: 3 } };
    expect((await many({ filter, revert: { to: 'NotAssessed' }, dryRun: true })).body).toMatchObject(
      reverted,
    );
    const tagged = await many({
      filter: { ...filter, state: ['AcceptedFailed'] },
      tags: { add: ['x'] },
      expected: 2,
    });
    expect(tagged.body).toMatchObject({ matching: 2, done: 2, refusedBy: {} });
  });

  it('refuses no version as stale because the acceptance has ended since', async () => {
    const until = new Date(now + 1).toISOString();
    await many({ ids: idsOf(), accept: { rationale: 'known', until } });
    now += 1;
    const [a, b] = await client.all(`/api/v3/findings?name=many${prefix}&state=AcceptedFailed`);
    expect(await act(a.id, 'tags', { add: ['x'], version: a.version })).toMatchObject({
      status: 200,
      body: { state: 'NotAssessed', version: a.version + 2, tags: ['x'] },
    });
    const tagged = { ids: [b.id], versions: { [b.id]: b.version }, tags: { add: ['x'] } };
    expect((await many({ ...tagged, dryRun: true })).body).toMatchObject({ done: 1, refusedBy: {} });
    expect((await many(tagged)).body).toMatchObject({ done: 1, refusedBy: {} });
    expect((await many(tagged)).body).toMatchObject({ done: 0, refusedBy: { stale: 1 } });
  });

  it('leaves a finding that is already held Failed to its holder', async () => {
    const [{ id }] = found as [(typeof found)[0]];
    await many({ ids: [id], accept: { rationale: 'known' } });
    await many({ ids: [id], revert: { to: 'Failed' } });
    const held = await client.get(`/api/v3/findings/${id}`);
    expect(held).toMatchObject({ state: 'Failed', heldFailed: { by: 'analyst' } });
    for (const dryRun of [true, false]) {
      const again = await many({ ids: [id], revert: { to: 'Failed' }, dryRun });
      expect(again.body).toMatchObject({ done: 0, unchanged: 1, refused: [] });
    }
    const single = await act(id, 'revert', { to: 'Failed' });
    expect(single).toMatchObject({ status: 200 });
    expect(await client.get(`/api/v3/findings/${id}`)).toEqual(held);
    expect((await many({ ids: [id], revert: { to: 'NotAssessed' } })).body).toMatchObject({ done: 1 });
  });

  it('refuses a retired finding, and tags and tickets beyond the bound', async () => {
    const [a, b] = found as [(typeof found)[0], (typeof found)[0]];
    await act(a.id, 'tags', { add: Array.from({ length: 20 }, (_, i) => `t${i}`) });
    const revoked = plainSignal(`many${prefix}b port`, `many${prefix}b`, {
      ...status('fail'),
      revoked: true,
    });
    const { body } = await client.zip(await zipOf({ 'signal.json': revoked }));
    await client.folded(body.uploadId);
    const answer = await many({ ids: [a.id, b.id], tags: { add: ['more'] } });
    expect(answer.body).toMatchObject({ done: 0, refusedBy: { tooMany: 1, retired: 1 } });
  });

  it('changes what matches a filter, and only if as many match as in the dry run', async () => {
    const filter = { name: `many${prefix}`, state: ['Failed'] };
    const tags = { add: ['filtered'] };
    const dry = await many({ filter, tags, dryRun: true });
    expect(dry.body).toMatchObject({ matching: 2, done: 2 });
    const other = await many({ filter, tags, expected: 3 });
    expect([other.status, other.body.message]).toEqual([409, expect.stringMatching(/not 3/)]);
    expect((await many({ filter, tags, expected: 2 })).body).toMatchObject({ matching: 2, done: 2 });
    expect(await ids('tag=filtered')).toHaveLength(2);
  });

  it.each<[scope: string, acts: object[], others: object[]]>([
    ['findings:triage', [{ tags: {} }], [{ accept: { rationale: 'known' } }, { revert: { to: 'Failed' } }]],
    ['findings:accept', [{ accept: { rationale: 'known' } }, { revert: { to: 'Failed' } }], [{ tags: {} }]],
    ['findings:read', [], [{ accept: { rationale: 'known' } }, { tags: {} }]],
  ])('with %s alone permits its acts', async (scope, acts, others) => {
    const admin = await gateway.client('admin');
    const token = { name: `${scope.replace(':', '-')}-${prefix}`, scopes: [scope] };
    const { body } = await admin.request('POST', '/api/v3/tokens', JSON.stringify(token), {
      'content-type': 'application/json',
    });
    const asToken = async (given: object) => {
      const answer = await fetch(`${client.url}/api/v3/findings/acts`, {
        method: 'POST',
        body: JSON.stringify({ ids: idsOf(), dryRun: true, ...given }),
        headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
      });
      return answer.status;
    };
    expect(await Promise.all(acts.map(asToken))).toEqual(acts.map(() => 200));
    expect(await Promise.all(others.map(asToken))).toEqual(others.map(() => 403));
  });
});

describe('a request for many findings that is not valid', () => {
  it.each([
    ['no act', { ids: [NOBODY] }, /^the body must name one act of accept, .*got none/],
    ['two acts', { ids: [NOBODY], tags: {}, due: { due: null } }, /\(got tags, due\)$/],
    ['neither ids nor a filter', { tags: {} }, /either ids or filter$/],
    ['both', { ids: [NOBODY], filter: { tag: 'x' }, tags: {} }, /either ids or filter$/],
    ['no id', { ids: [], tags: {} }, /^ids must/],
    ['an id twice', { ids: [NOBODY, NOBODY], tags: {} }, /^ids must contain each id once$/],
    [
      '501 ids',
      { ids: Array.from({ length: 501 }, (_, i) => NOBODY.slice(0, -3) + (100 + i)), tags: {} },
      /^ids must contain no more than 500/,
    ],
    ['an id that is none', { ids: ['x'], tags: {} }, /^each value in ids must be a UUID/],
    [
      'a version of no id',
      { ids: [NOBODY], versions: { x: 1 }, tags: {} },
      /^versions must contain only ids/,
    ],
    ['a version that is none', { ids: [NOBODY], versions: { [NOBODY]: 0 }, tags: {} }, /^versions must/],
    ['versions of a filter', { filter: { tag: 'x' }, versions: {}, tags: {} }, /^versions requires ids/],
    ['an empty filter', { filter: {}, tags: {}, dryRun: true }, /at least one condition/],
    [
      'a blank condition',
      { filter: { name: ' ' }, tags: {}, dryRun: true },
      /^filter\.name must not be blank/,
    ],
    [
      'a blank condition in a query text',
      { filter: { q: 'severity:high name:""' }, tags: {}, dryRun: true },
      /^filter\.name must not be blank/,
    ],
    [
      'a ticket with a long address',
      { ids: [NOBODY], tickets: { detach: [LONG_TICKET_URL] } },
      /^each value in tickets\.detach must be shorter/,
    ],
    ['no dry run', { filter: { tag: 'x' }, tags: {} }, /dryRun=true first/],
    ['an act that is not valid', { ids: [NOBODY], tags: { add: ['two words'] } }, /^each value in tags\.add/],
    ['an unknown field', { ids: [NOBODY], tags: { set: [] } }, /tags\.set is unknown/],
    [
      'an end in the past',
      { ids: [NOBODY], accept: { rationale: 'x', until: '2020-01-01T00:00:00Z' } },
      /^accept\.until/,
    ],
  ])('is a 400 for %s', async (_, body, message) => {
    const answer = await many(body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });
});

describe('due dates by SLA', () => {
  const SLA = { severity: { medium: 10, low: 30 }, exceptionsNeedEnd: true };
  const iso = (ms: number) => new Date(ms).toISOString();
  /** Due by SLA, at first; only `fails` still fails. */
  let [fails, fixed, late, own]: { id: string; firstSeen: string }[] = [];
  let begin: number;
  const named = '&name=sla-';
  const names = async (query: string) =>
    (await client.all(`/api/v3/findings?${query}${named}`)).map(({ name }: { name: string }) => name).sort();
  const change = async (settings: object) => {
    const admin = await gateway.client('admin');
    return admin.request('PATCH', '/api/v3/settings', JSON.stringify(settings), {
      'content-type': 'application/json',
    });
  };
  const at = async (ms: number) => {
    now = ms;
    client = await gateway.client('analyst');
  };

  beforeAll(async () => {
    begin = now;
    await at(begin + DAY_MS);
    [fails, fixed, late, own] = [
      await finding('sla-fails'),
      await finding('sla-fixed'),
      await finding('sla-late'),
      await finding('sla-own'),
    ];
    await at(begin + 2 * DAY_MS);
    expect(await change({ sla: SLA })).toMatchObject({
      status: 200,
      body: { sla: { severity: SLA.severity, ssvc: {}, kev: null, exceptionsNeedEnd: true } },
    });
  });

  it('follow from the days of the setting', async () => {
    expect(await client.get(`/api/v3/findings/${fails!.id}`)).toMatchObject({
      failedSince: fails!.firstSeen,
      settledAt: null,
      due: iso(begin + 11 * DAY_MS),
      dueBy: 'sla',
      overdue: false,
      sla: 'due',
    });
    expect(await names('sla=due')).toEqual([
      'sla-fails port',
      'sla-fixed port',
      'sla-late port',
      'sla-own port',
    ]);
    expect(await names('sla=overdue')).toEqual([]);
  });

  it('are known, with the end that acceptances need, to users who cannot read settings', async () => {
    expect((await client.get('/api/v3/me')).sla).toEqual({ exceptionsNeedEnd: true });
  });

  it('yield to those of users, which need a reason', async () => {
    const due = iso(begin + 20 * DAY_MS);
    expect(await act(own!.id, 'due', { due })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^reason is required/) },
    });
    expect(await post('/api/v3/findings/acts', { ids: [own!.id], dryRun: true, due: { due } })).toMatchObject(
      {
        status: 400,
        body: { message: expect.stringMatching(/^due\.reason is required/) },
      },
    );
    expect(await act(own!.id, 'due', { due, reason: 'vendor' })).toMatchObject({
      status: 200,
      body: { due, dueBy: 'user', sla: 'due' },
    });
  });

  it('end an acceptance, if the setting says so', async () => {
    const accept = { rationale: 'later' };
    expect(await act(fails!.id, 'accept', accept)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^until is required/) },
    });
    const until = iso(now + DAY_MS);
    const bulk = { ids: [fails!.id], dryRun: true };
    expect(await post('/api/v3/findings/acts', { ...bulk, accept })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^accept\.until is required/) },
    });
    expect((await post('/api/v3/findings/acts', { ...bulk, accept: { ...accept, until } })).status).toBe(200);
  });

  it('are met or missed by what is Qualified, and overdue by the others', async () => {
    await at(begin + 5 * DAY_MS);
    await signal('sla-fixed', 'pass');
    await at(begin + 12 * DAY_MS);
    await signal('sla-late', 'pass');
    const states = await Promise.all(
      ['due', 'overdue', 'met', 'missed'].map(async (state) => [state, await names(`sla=${state}`)]),
    );
    expect(Object.fromEntries(states)).toEqual({
      due: ['sla-own port'],
      overdue: ['sla-fails port'],
      met: ['sla-fixed port'],
      missed: ['sla-late port'],
    });
    expect(await client.get(`/api/v3/findings/${fixed!.id}`)).toMatchObject({
      state: 'Qualified',
      settledAt: iso(begin + 5 * DAY_MS),
      due: null,
      dueBy: null,
      sla: 'met',
    });
    expect((await client.get(`/api/v3/findings/${late!.id}`)).sla).toBe('missed');
    for (const state of ['due', 'overdue', 'met', 'missed']) {
      const { total } = await client.get(`/api/v3/findings/counts?sla=${state}${named}`);
      expect([state, total]).toEqual([state, 1]);
    }
    expect(await names(`dueBefore=${iso(begin + 15 * DAY_MS)}`)).toEqual(['sla-fails port']);
  });

  it('filter what is Qualified too, if users have set them', async () => {
    const due = iso(begin + 11 * DAY_MS);
    await act(late!.id, 'due', { due, reason: 'audit' });
    now += 60_000;
    const asOf = iso(now - 1);
    const matching = async (dueBefore: string) => {
      const query = `sla=missed&dueBefore=${dueBefore}`;
      const filter = { sla: 'missed', dueBefore, name: 'sla-' };
      const acts = await post('/api/v3/findings/acts', { filter, dryRun: true, tags: { add: ['late'] } });
      return {
        list: await names(query),
        past: await names(`${query}&asOf=${asOf}`),
        counted: (await client.get(`/api/v3/findings/counts?${query}${named}`)).total,
        acts: acts.body.matching,
      };
    };
    const found = ['sla-late port'];
    expect(await matching(due)).toEqual({ list: [], past: [], counted: 0, acts: 0 });
    expect(await matching(iso(begin + 12 * DAY_MS))).toEqual({
      list: found,
      past: found,
      counted: 1,
      acts: 1,
    });
    await act(late!.id, 'due', { due: null });
  });

  it('order a list, in pages, with those of users among them', async () => {
    const ordered = async (sort: string) => {
      const pages = [];
      for (let cursor = ''; ; ) {
        const page = await client.get(`/api/v3/findings?sort=${sort}&limit=1${named}${cursor}`);
        pages.push(page.items.map(({ name, due }: { name: string; due: string }) => [name, due]));
        if (page.nextCursor === null) return pages.flat();
        cursor = `&cursor=${page.nextCursor}`;
      }
    };
    const expected = [
      ['sla-fails port', iso(begin + 11 * DAY_MS)],
      ['sla-own port', iso(begin + 20 * DAY_MS)],
    ];
    expect(await ordered('due')).toEqual(expected);
    expect(await ordered('-due')).toEqual(expected.toReversed());
  });

  it('are in exports', async () => {
    const csv = await fetch(`${client.url}/api/v3/findings/export?format=csv&sla=overdue${named}`, {
      headers: { authorization: client.authorization },
    });
    const [head, row] = (await csv.text()).split('\r\n').map((line) => line.split(','));
    const value = (column: string) => row![head!.indexOf(column)];
    expect([value('due'), value('dueBy'), value('overdue'), value('sla')]).toEqual([
      iso(begin + 11 * DAY_MS),
      'sla',
      'true',
      'overdue',
    ]);
  });

  it('are those of the SLA at an instant', async () => {
    const before = iso(begin + 1.5 * DAY_MS);
    expect(await client.get(`/api/v3/findings/${fails!.id}?asOf=${before}`)).toMatchObject({
      due: null,
      sla: null,
    });
    const after = iso(begin + 11.5 * DAY_MS);
    expect(await names(`sla=overdue&asOf=${before}`)).toEqual([]);
    expect(await names(`sla=overdue&asOf=${after}`)).toEqual(['sla-fails port', 'sla-late port']);
    expect(await names(`sla=met&asOf=${after}`)).toEqual(['sla-fixed port']);
    expect(await names(`sort=due&asOf=${after}`)).toEqual([
      'sla-fails port',
      'sla-late port',
      'sla-own port',
    ]);
    expect((await client.get(`/api/v3/findings/counts?sla=due&asOf=${after}${named}`)).total).toBe(1);
  });

  it('cannot be filtered or sorted by as of an instant if decisions matter', async () => {
    await change({ sla: { ...SLA, ssvc: { Act: 3 }, kev: 5 } });
    now += 60_000;
    const past = iso(now - 1);
    for (const query of ['sla=overdue', `dueBefore=${past}`, 'sort=due']) {
      const path = `/api/v3/findings?${query}&asOf=${past}`;
      const answer = await client.request('GET', path);
      expect([query, answer.status, answer.body.message]).toEqual([
        query,
        400,
        expect.stringMatching(/^asOf: the SLA/),
      ]);
    }
    expect(await names(`sla=met&asOf=${past}`)).toEqual(['sla-fixed port']);
    expect(await names('sla=overdue')).toEqual(['sla-fails port']);
    expect((await client.get(`/api/v3/findings/${fails!.id}?asOf=${past}`)).sla).toBe('overdue');
  });

  it.each([
    [{ severity: {} }, /^sla: severity, ssvc or kev must have days/],
    [{ severity: { critical: 0 } }, /critical must not be less than 1/],
    [{ severity: { urgent: 1 } }, /urgent/],
    [{ ssvc: { Act: 1.5 } }, /Act must be an integer/],
    [{ kev: 4000 }, /kev must not be greater than 3650/],
    [{ kev: 3, exceptionsNeedEnd: 'yes' }, /exceptionsNeedEnd/],
  ])('are refused if the setting is wrong: %j', async (sla, message) => {
    const { status, body } = await change({ sla });
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
