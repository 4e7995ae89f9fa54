import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
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

/** A new finding on a separate host, from a signal. */
async function finding(host: string, complianceStatus: 'pass' | 'fail' = 'fail') {
  await signal(host, complianceStatus);
  const [found] = await client.all(`/api/v3/findings?name=${host}%20port`);
  return found;
}

async function signal(host: string, complianceStatus: 'pass' | 'fail'): Promise<void> {
  const entry = plainSignal(`${host} port`, host, status(complianceStatus));
  const { body } = await client.zip(await zipOf({ 'signal.json': entry }));
  await client.folded(body.uploadId);
}

const post = (path: string, body: object) =>
  client.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
const accept = (id: string, body: object = {}) =>
  post(`/api/v3/findings/${id}/accept`, { rationale: 'known', ...body });
const revert = (id: string, to: string, body: object = {}) =>
  post(`/api/v3/findings/${id}/revert`, { to, ...body });

describe('accepting', () => {
  it('stores what PostgreSQL could not as U+FFFD: no text stops the fold', async () => {
    const { id } = await finding('unstorable');
    expect(await accept(id, { rationale: 'a\0b\ud800' })).toMatchObject({ status: 200 });
    await signal('unstorable', 'fail');
    const { body } = await client.request('GET', `/api/v3/findings/${id}`);
    expect(body.accepted.rationale).toBe('a\ufffdb\ufffd');
  });

  it('answers the finding, already Accepted Failed, with who, when, why and until when', async () => {
    const { id } = await finding('accepted');
    const until = new Date(now + 30 * DAY_MS).toISOString();
    const { status, body } = await accept(id, { rationale: ' compensated ', until });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      state: 'AcceptedFailed',
      version: 2,
      accepted: { by: 'analyst', at: new Date(now).toISOString(), rationale: 'compensated', until },
    });
    expect(await client.all(`/api/v3/findings/${id}/history`)).toMatchObject([
      { change: 'created' },
      {
        change: 'accepted',
        from: 'Failed',
        to: 'AcceptedFailed',
        reason: 'user',
        cause: { user: 'analyst' },
      },
    ]);
  });

  it.each([
    ['no rationale', { rationale: undefined }, /rationale/],
    ['an empty rationale', { rationale: '  ' }, /rationale/],
    ['a rationale that is no text', { rationale: 7 }, /rationale/],
    ['a rationale that is too long', { rationale: 'x'.repeat(4_001) }, /4000/],
    ['an end without a zone', { until: '2030-01-01' }, /until must be an ISO 8601 time/],
    ['an end in the past', { until: '2020-01-01T00:00:00Z' }, /until must be in the future/],
    ['a version that is none', { version: 'x' }, /version/],
    ['an unknown field', { why: 'x' }, /why is unknown/],
  ])('rejects %s', async (_, body, message) => {
    const answer = await accept(NOBODY, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  it('is 404 for an unknown finding, and 400 for an invalid id', async () => {
    expect((await accept(NOBODY)).status).toBe(404);
    expect((await accept('x')).status).toBe(400);
  });

  it('takes an id in upper case', async () => {
    const { id } = await finding('upper');
    expect(await accept(id.toUpperCase())).toMatchObject({ status: 200, body: { id } });
  });

  it('is 409 for any state but Failed, and names the state', async () => {
    const { id } = await finding('qualified', 'pass');
    const { status, body } = await accept(id);
    expect([status, body.message]).toEqual([409, expect.stringMatching(/this finding is Qualified/)]);
    expect((await revert(id, 'NotAssessed')).status).toBe(409);
  });

  it('is 409 for one of two users who decide on the same version at the same time', async () => {
    const { id, version } = await finding('contended');
    const answers = await Promise.all([accept(id, { version }), accept(id, { version })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { items } = await client.get(`/api/v3/audit?target=${id}`);
    expect(items.filter(({ refused }: { refused: null }) => refused === null)).toHaveLength(1);
  });

  it('takes the role analyst or admin', async () => {
    const viewer = await gateway.client('viewer');
    const { status } = await viewer.request('POST', `/api/v3/findings/${NOBODY}/accept`, '{}');
    expect(status).toBe(403);
  });

  it('ends with its date: Not Assessed from the next event on', async () => {
    const { id } = await finding('lent');
    await accept(id, { until: new Date(now + DAY_MS).toISOString() });
    const accepted = now + 1;
    const endingBefore = (at: number, more = '') =>
      client.all(`/api/v3/findings?name=lent&acceptedUntilBefore=${new Date(at).toISOString()}${more}`);
    expect(await endingBefore(now + DAY_MS)).toEqual([]);
    expect(await endingBefore(now + DAY_MS + 1)).toMatchObject([{ id, state: 'AcceptedFailed' }]);
    now += 2 * DAY_MS;
    client = await gateway.client('analyst');
    await signal('lent', 'pass');
    const changes = await client.all(`/api/v3/findings/${id}/history`);
    expect(changes.map(({ change, to, reason }) => [change, to, reason])).toEqual([
      ['created', 'Failed', null],
      ['accepted', 'AcceptedFailed', 'user'],
      ['stateChanged', 'NotAssessed', 'acceptanceEnded'],
      ['stateChanged', 'Qualified', null],
    ]);
    const asOf = `&asOf=${new Date(accepted).toISOString()}`;
    expect(await endingBefore(now)).toEqual([]);
    expect(await endingBefore(now, asOf)).toMatchObject([{ id, state: 'AcceptedFailed' }]);
    expect(await endingBefore(accepted, asOf)).toEqual([]);
  });
});

describe('many findings in one request', () => {
  const filter = { name: 'bulk' };

  it('a dry run changes nothing; then the counted findings are accepted, and reverted', async () => {
    for (const host of ['bulk1', 'bulk2', 'bulk3']) await finding(host);
    await finding('bulk-qualified', 'pass');
    const dry = await post('/api/v3/findings/accept', { filter, rationale: 'known', dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, matching: 3, done: 0, findings: [{}, {}, {}] });
    expect(await client.all('/api/v3/findings?state=AcceptedFailed&name=bulk')).toEqual([]);

    const done = await post('/api/v3/findings/accept', { filter, rationale: 'known', expected: 3 });
    expect(done.body).toMatchObject({ dryRun: false, matching: 3, done: 3, refused: 0, pending: 0 });
    expect(await client.all('/api/v3/findings?state=AcceptedFailed&name=bulk')).toHaveLength(3);
    const acts = await client.all(`/api/v3/audit?requestId=${done.body.requestId}`);
    expect(acts.map(({ action }) => action)).toEqual(Array(3).fill('finding.accepted'));

    const reverted = await post('/api/v3/findings/revert', { filter, to: 'NotAssessed', expected: 3 });
    expect(reverted.body).toMatchObject({ done: 3 });
  });

  it('selects the results of a full-text search', async () => {
    await finding('searched');
    const dry = await post('/api/v3/findings/accept', {
      filter: { q: 'searched port' },
      rationale: 'known',
      dryRun: true,
    });
    expect(dry.body).toMatchObject({ matching: 1, findings: [{ name: 'searched port' }] });
  });

  it('selects by first occurrence and level', async () => {
    const { firstSeen } = await finding('timed');
    const matching = async (more: object) =>
      (
        await post('/api/v3/findings/accept', {
          filter: { name: 'timed', ...more },
          rationale: 'x',
          dryRun: true,
        })
      ).body.matching;
    expect(await matching({ firstSeenAfter: firstSeen, severity: ['medium'] })).toBe(1);
    expect(await matching({ firstSeenBefore: firstSeen })).toBe(0);
    expect(await matching({ q: `port severity:medium firstSeen:>=${firstSeen}` })).toBe(1);
    const { status, body } = await post('/api/v3/findings/accept', {
      filter: { q: 'timed state:Retired' },
      rationale: 'x',
      dryRun: true,
    });
    expect([status, body.message]).toEqual([400, 'filter.q, character 7: state: is not a filter here']);
  });

  it.each([
    ['no dry run before', { filter, rationale: 'x' }, 400, /dryRun=true first/],
    ['another count than the dry run', { filter, rationale: 'x', expected: 9_999 }, 409, /not 9999/],
    ['no condition', { filter: {}, rationale: 'x', dryRun: true }, 400, /at least one condition/],
    [
      'a blank condition',
      { filter: { name: '', severity: ['high'] }, rationale: 'x', dryRun: true },
      400,
      /^filter\.name must not be blank/,
    ],
    ['no filter', { rationale: 'x', dryRun: true }, 400, /filter/],
    ['an unknown condition', { filter: { colour: 'x' }, rationale: 'x' }, 400, /filter.colour is unknown/],
    ['a condition of the wrong type', { filter: { type: 'x' }, rationale: 'x' }, 400, /filter.type/],
  ])('rejects %s', async (_, body, status, message) => {
    const answer = await post('/api/v3/findings/accept', body);
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
  });
});
