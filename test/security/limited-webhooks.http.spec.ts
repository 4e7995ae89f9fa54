import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import type { ScoredSite } from '../fixtures/scores/scored-site.ts';
import { DeliveringSite } from '../fixtures/security/delivering-site.ts';
import { EventStream } from '../support/event-stream.ts';
import { until } from '../support/until.ts';
import { isSignedBy, type WebhookReceiver } from '../support/webhook-receiver.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const PATH = '/api/v3/webhooks';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const SALES = { department: 'Sales', location: 'Berlin' };
const FINANCE = { department: 'Finance', location: 'Oslo' };
const HIDDEN = /hidden|Finance|Oslo|CVE-2031/;
const ACTS = ['pause', 'resume', 'rotate', 'test'] as const;

let delivering: DeliveringSite;
let site: ScoredSite;
let limited: Awaited<ReturnType<typeof callerWith>>;

/** A caller whose token has all scopes. */
async function callerWith(name: string, limits: object) {
  const { body } = await site.post('/api/v3/tokens', { name, scopes: SCOPES, ...limits });
  const ask = async (method: string, path: string, given?: object) => {
    const answer = await fetch(`${site.gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
      ...(given && { body: JSON.stringify(given) }),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const ok = async (method: string, path: string, given?: object) => {
    const answer = await ask(method, path, given);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  return { token: body.token as string, ask, ok };
}

beforeAll(async () => {
  delivering = await DeliveringSite.start(BEGIN);
  site = delivering.site;
  limited = await callerWith('limited', { departments: ['Sales'] });
});
afterAll(() => delivering.stop());

const isScoreOf = (name: string) => (one: any) =>
  one.type === 'posture.score.changed' && one.data.assetName === name;

/** Texts of hidden assets in the data of its events. */
const hiddenIn = ({ events }: WebhookReceiver) => HIDDEN.exec(JSON.stringify(events.map(({ data }) => data)));

/** Receives until the score of a new visible asset. */
async function end(receiver: WebhookReceiver, host: string): Promise<void> {
  await site.addSignals({ name: 'end', host, attributes: SALES });
  await until('the end is received', async () => receiver.events.some(isScoreOf(host)));
}

describe('a webhook of a caller that is limited to departments or locations', () => {
  it('receives the changes of visible assets, without numbers that count the others', async () => {
    const receiver = await delivering.receiver();
    const { secret, ...hook } = await limited.ok('POST', PATH, { url: receiver.url });
    expect(hook).toMatchObject({ departments: ['Sales'], locations: null, behind: null });
    await site.addSignals(
      { name: 'own', host: 'own01', attributes: SALES },
      ...['a', 'b', 'c'].map((name) => ({ name: 'hidden', host: `hidden-${name}`, attributes: FINANCE })),
    );
    await until('the score is received', async () => receiver.events.some(isScoreOf('own01')));
    await end(receiver, 'own02');
    expect(receiver.received.every((one) => isSignedBy(secret, one))).toBe(true);
    const own = receiver.events.filter(({ data }) => (data.assetName ?? data.name) === 'own01');
    expect(own.map(({ type }) => type)).toEqual([
      'posture.asset.created',
      'posture.finding.created',
      'posture.score.changed',
    ]);
    expect(hiddenIn(receiver)).toBeNull();
    expect(JSON.stringify(receiver.events)).not.toMatch(/"(sequence|offset)"|"position":(?!"v1-)/);
    expect(new Set(receiver.events.map(({ position }) => position.length)).size).toBe(1);
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(receiver.events.length);
    const { items } = await limited.ok('GET', `${PATH}/${hook.id}/deliveries`);
    expect(items.map(({ messageId }: { messageId: string }) => messageId).sort()).toEqual(
      receiver.received.map(({ id }) => id).sort(),
    );
    const shown = JSON.stringify([items, await limited.ok('GET', PATH)]);
    expect(shown).not.toMatch(/[afs]:\w/);
  });

  it('has ids that cannot be found by trying sequences', async () => {
    const [own, all] = [await delivering.receiver(), await delivering.receiver()];
    await limited.ok('POST', PATH, { url: own.url });
    await site.post(PATH, { url: all.url });
    await end(own, 'ids01');
    await until('the other webhook receives it too', async () => all.events.some(isScoreOf('ids01')));
    const plain = new Set(all.events.map(({ id }) => id));
    expect(own.events.filter(({ id }) => plain.has(id))).toEqual([]);
  });

  it('receives that an asset leaves, and an asset that comes without its past', async () => {
    await site.addSignals(
      { name: 'leaves', host: 'left01', attributes: SALES },
      { name: 'past', host: 'came01', severity: 5, attributes: FINANCE },
    );
    const [left] = await site.client.all('/api/v3/assets?name=left01');
    const receiver = await delivering.receiver();
    await limited.ok('POST', PATH, { url: receiver.url });
    await site.addSignals(
      { name: 'hidden since', host: 'left01', cve: 'CVE-2031-66666', attributes: FINANCE },
      { name: 'new', host: 'came01', cve: 'CVE-2017-0144', attributes: SALES },
    );
    await end(receiver, 'moved-end01');
    expect(hiddenIn(receiver)).toBeNull();
    const hidden = receiver.events.filter(({ type }) => type === 'posture.asset.hidden');
    expect(hidden).toMatchObject([
      { subject: left.id, data: { assetId: left.id, at: expect.stringMatching(/^2026-03-02T08:/) } },
    ]);
    expect(Object.keys(hidden[0].data)).toEqual(['assetId', 'at']);
    const came = receiver.events.filter(({ data }) => (data.assetName ?? data.name) === 'came01');
    expect(came.map(({ type }) => type)).toEqual([
      'posture.asset.updated',
      'posture.finding.created',
      'posture.score.changed',
    ]);
    expect(came[2].data).toMatchObject({ previousScore: null, previousBreachLikelihood: null });
  });

  it('sends a delivery again as the same text', async () => {
    const receiver = await delivering.receiver();
    receiver.receive = (_, count) => ({ status: count < 4 ? 500 : 204 });
    await limited.ok('POST', PATH, { url: receiver.url, topics: ['findings'] });
    await site.addSignals(
      { name: 'one', host: 'again01', attributes: SALES },
      { name: 'hidden', host: 'hidden-again', attributes: FINANCE },
      { name: 'two', host: 'again02', attributes: SALES },
    );
    await until('it is received four times', async () => receiver.received.length >= 4);
    const [first, ...others] = receiver.received;
    for (const { id, body } of others.slice(0, 3)) {
      expect([id, `${body}`]).toEqual([first!.id, `${first!.body}`]);
    }
  });

  it('continues after its positions, as the change stream does, and not after plain ones', async () => {
    const receiver = await delivering.receiver();
    const hook = await limited.ok('POST', PATH, { url: receiver.url });
    await end(receiver, 'replay01');
    const [first] = receiver.events;
    const before = receiver.events.length;
    const replayed = await limited.ok('POST', `${PATH}/${hook.id}/replay`, { from: first.position });
    expect(replayed.behind).toBeNull();
    await until('the others come again', async () => receiver.events.length === 2 * before - 1);
    const ids = (events: any[]) => events.map(({ id }) => id).sort();
    expect(ids(receiver.events.slice(before))).toEqual(ids(receiver.events.slice(1, before)));
    const stream = await EventStream.open(`${site.gateway.url}/api/v3/changes`, {
      authorization: `Bearer ${limited.token}`,
      'last-event-id': first.position,
    });
    expect((await stream.next())!.data.change.name).toBe(receiver.events[1].data.change.name);
    stream.close();
    const [{ position }] = (await site.client.all(PATH)).filter(({ id }) => id === hook.id);
    expect(position).toMatch(/^a:/);
    for (const from of [position, 'f:0.0.0.0', `${first.position}A`, first.position.slice(0, -3)]) {
      for (const [path, given] of [
        [`${PATH}/${hook.id}/replay`, { from }],
        [PATH, { url: receiver.url, from }],
      ] as const) {
        const { status, body } = await limited.ask('POST', path, given);
        expect([status, body.message]).toEqual([
          400,
          expect.stringMatching(/^from must be the position of an/),
        ]);
      }
    }
    await limited.ok('POST', `${PATH}/${hook.id}/replay`, { from: new Date(BEGIN).toISOString() });
    await until('own assets of then come', async () => receiver.events.some(isScoreOf('own01')));
    expect(hiddenIn(receiver)).toBeNull();
  });

  it('is deleted, changed and tested by callers that see all its assets; for others it does not exist', async () => {
    const receiver = await delivering.receiver();
    const url = receiver.url;
    const wider = await callerWith('wider', { departments: ['Sales', 'Finance'] });
    const narrower = await callerWith('narrower', { departments: ['Sales'], locations: ['Berlin'] });
    const hooks = {
      all: (await site.post(PATH, { url })).body,
      own: (await site.post(PATH, { url, departments: ['Sales'] })).body,
      finance: (await wider.ok('POST', PATH, { url, departments: ['Finance'] })) as { id: string },
      berlin: await wider.ok('POST', PATH, { url, departments: ['Sales'], locations: ['Berlin'] }),
    };
    const seen = async ({ ok }: typeof limited) => {
      const { items } = await ok('GET', `${PATH}?limit=100`);
      return Object.entries(hooks).flatMap(([name, { id }]) =>
        items.some((one: { id: string }) => one.id === id) ? [name] : [],
      );
    };
    expect(await seen(limited)).toEqual(['own', 'berlin']);
    expect(await seen(wider)).toEqual(['own', 'finance', 'berlin']);
    expect(await seen(narrower)).toEqual(['berlin']);
    for (const { id } of [hooks.all, hooks.finance]) {
      const requests: [string, string, object?][] = [
        ['GET', ''],
        ['GET', '/deliveries'],
        ['PATCH', '', { enabled: false }],
        ['DELETE', ''],
        ...ACTS.map((act): [string, string, object] => ['POST', `/${act}`, {}]),
        ['POST', '/replay', { from: '2026-03-02T08:00:00Z' }],
      ];
      for (const [method, rest, given] of requests) {
        const { status, body } = await limited.ask(method, `${PATH}/${id}${rest}`, given);
        const nobody = await limited.ask(method, `${PATH}/${NOBODY}${rest}`, given);
        expect([method, rest, status, body.message.replace(id, NOBODY)]).toEqual([
          method,
          rest,
          404,
          nobody.body.message,
        ]);
      }
    }
    for (const act of ACTS) await limited.ok('POST', `${PATH}/${hooks.own.id}/${act}`, {});
    expect(await limited.ok('PATCH', `${PATH}/${hooks.own.id}`, { topics: ['scores'] })).toMatchObject({
      topics: ['scores'],
      departments: ['Sales'],
    });
    await limited.ok('DELETE', `${PATH}/${hooks.own.id}`);
    const tooWide = await limited.ask('POST', PATH, { url, departments: ['Finance'] });
    expect([tooWide.status, tooWide.body.message]).toEqual([
      403,
      expect.stringMatching(/^you may grant only access that/),
    ]);
    const { body: made } = await limited.ask('POST', PATH, { url, locations: ['Berlin'] });
    expect(made).toMatchObject({ departments: ['Sales'], locations: ['Berlin'] });
    expect((await limited.ask('PATCH', `${PATH}/${hooks.berlin.id}`, { departments: ['IT'] })).status).toBe(
      400,
    );
  });

  it('shows no sequence when the history has a gap', async () => {
    const receiver = await delivering.receiver();
    const hook = await limited.ok('POST', PATH, { url: receiver.url });
    const paused = { reason: 'gap', message: 'findings of partition 1 end before 4711', at: Date.now() };
    await site.gateway.database.pool.query('update webhooks set enabled = false, paused = $2 where id = $1', [
      hook.id,
      JSON.stringify(paused),
    ]);
    const shown = await limited.ok('GET', `${PATH}/${hook.id}`);
    expect(shown.paused).toMatchObject({
      reason: 'gap',
      message: 'changes after the position are missing',
    });
  });

  it('continues after its creator is deleted', async () => {
    const receiver = await delivering.receiver();
    const creator = await callerWith('creator', { departments: ['Sales'] });
    await creator.ok('POST', PATH, { url: receiver.url });
    const { id } = (await site.client.all('/api/v3/tokens')).find(({ name }) => name === 'creator');
    expect((await site.client.request('DELETE', `/api/v3/tokens/${id}`)).status).toBe(200);
    expect((await creator.ask('GET', PATH)).status).toBe(401);
    await site.addSignals({ name: 'hidden', host: 'hidden-later', attributes: FINANCE });
    await end(receiver, 'later01');
    expect(hiddenIn(receiver)).toBeNull();
  });
});
