import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { type ScoredSignal, ScoredSite } from '../fixtures/scores/scored-site.ts';
import { FollowedStream } from '../fixtures/security/followed-stream.ts';
import { SubscribedCopy } from '../fixtures/security/subscribed-copy.ts';
import type { StreamedEvent } from '../support/event-stream.ts';
import { runs } from '../support/long-run.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const RUN_MS_MAX = 600_000;
/** The documented limit, and time for a loaded machine to close the connection. */
const ENDS_MS_MAX = 8_000;
const SALES = { department: 'Sales', location: 'Berlin' };
const FINANCE = { department: 'Finance', location: 'Oslo' };
const LIMITS = { departments: ['Sales'] };
/** Of gateways that read the ids of each other. */
const SECRET = { POSTURE_SECRET_KEY: 'of-all-gateways-of-this-test-0123456789' };

const open: FollowedStream[] = [];
afterAll(() => {
  for (const stream of open) stream.close();
});

interface NewToken {
  id: string;
  token: string;
}

async function tokenOf(site: ScoredSite, name: string, limits?: object): Promise<NewToken> {
  const given = { name, scopes: SCOPES, ...limits };
  const { status, body } = await site.post('/api/v3/tokens', given);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

async function follow(url: string, token: string, after?: string): Promise<FollowedStream> {
  const stream = await FollowedStream.open(url, token, after);
  open.push(stream);
  return stream;
}

const startOf = ({ others }: FollowedStream): string => /^id: (.*)$/m.exec(others[0]!)![1]!;

describe('the change stream of a caller that is limited to departments or locations', () => {
  let site: ScoredSite;
  let limited: NewToken;

  beforeAll(async () => {
    site = await ScoredSite.start(BEGIN, SECRET);
    limited = await tokenOf(site, 'limited', LIMITS);
  });
  afterAll(() => site.stop());

  const started = async (after?: string): Promise<FollowedStream> => {
    const stream = await follow(site.gateway.url, limited.token, after);
    await until('the stream is open', async () => stream.others.length > 0);
    return stream;
  };
  const received = (stream: FollowedStream, what: (event: StreamedEvent) => boolean) =>
    until('the event is received', async () => stream.events.some(what));
  const isScoreOf = (name: string) => (one: StreamedEvent) =>
    one.event === 'score' && one.data.assetName === name;

  it('contains the changes of visible assets, without numbers that count the others', async () => {
    const stream = await started();
    await site.addSignals(
      { name: 'own', host: 'own01', attributes: SALES },
      ...['a', 'b', 'c', 'd'].map((name) => ({
        name: 'hidden',
        host: `hidden-${name}`,
        attributes: FINANCE,
      })),
    );
    await received(stream, isScoreOf('own01'));
    expect(stream.events.map(({ event }) => event)).toEqual(['asset', 'finding', 'score']);
    const text = JSON.stringify(stream.events);
    expect(text).not.toMatch(/hidden|Finance|Oslo|"sequence"|"position"/);
    const ids = [startOf(stream), ...stream.events.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
    expect(ids.every((id) => id.startsWith('v1-'))).toBe(true);
  });

  it('reports that an asset leaves the limits, and nothing of it afterwards', async () => {
    const stream = await started();
    await site.addSignals({ name: 'leaves', host: 'left01', attributes: SALES });
    await received(stream, isScoreOf('left01'));
    const { id } = stream.events.find(({ event }) => event === 'asset')!.data;
    await site.addSignals(
      { name: 'leaves', host: 'left01', cve: 'CVE-2031-55555', attributes: FINANCE },
      { name: 'since', host: 'left01', cve: 'CVE-2031-66666', attributes: FINANCE },
    );
    await site.addSignals({ name: 'end', host: 'end01', attributes: SALES });
    await received(stream, isScoreOf('end01'));
    const later = stream.events.slice(3);
    expect(later.find(({ event }) => event === 'hidden')!.data).toEqual({
      assetId: id,
      at: expect.stringMatching(/^2026-03-02T08:00:/),
    });
    expect(later.filter(({ event }) => event === 'hidden')).toHaveLength(1);
    expect(JSON.stringify(later)).not.toMatch(/left01|since|CVE-2031|Finance|Oslo/);
  });

  it('repeats changes of an asset that has left without anything of the time since', async () => {
    const both = await tokenOf(site, 'both', { departments: ['Sales', 'Finance'] });
    const [stream, wide] = [await started(), await follow(site.gateway.url, both.token)];
    await until('the stream is open', async () => wide.others.length > 0);
    const signal = { name: 'moves', host: 'moved01' };
    await site.addSignals({ ...signal, expiresAt: '2026-04-01T00:00:00.000Z', attributes: SALES });
    await received(stream, isScoreOf('moved01'));
    await received(wide, isScoreOf('moved01'));
    const before = site.now;
    site.pass(60_000);
    await site.addSignals({ ...signal, expiresAt: '2026-05-01T00:00:00.000Z', attributes: FINANCE });
    await site.gateway.database.pool.query(`update assets set name = 'renamed01' where name = 'moved01'`);
    await received(stream, ({ event }) => event === 'hidden');
    // Another gateway has not read the changes before.
    const other = await StartedGateway.start({ beside: site.gateway, clock: () => site.now, env: SECRET });
    try {
      const again = await follow(other.url, limited.token, startOf(stream));
      await received(again, isScoreOf('moved01'));
      const [asset, finding] = again.events.filter(({ event }) => event === 'asset' || event === 'finding');
      expect(asset!.data).toMatchObject({ name: 'moved01', lastSeen: asset!.data.change.at });
      const { at } = finding!.data.change;
      expect(finding!.data).toMatchObject({ assetName: 'moved01', lastSeen: at, expiresAt: at });
      expect(Date.parse(at)).toBeLessThanOrEqual(before);
      // Who sees the asset at present gets what is known at present.
      const present = await follow(other.url, both.token, startOf(wide));
      await received(present, ({ event }) => event === 'finding');
      expect(present.events.find(({ event }) => event === 'finding')!.data).toMatchObject({
        assetName: 'renamed01',
        expiresAt: '2026-05-01T00:00:00.000Z',
      });
    } finally {
      await other.stop();
      await site.gateway.database.pool.query(`update assets set name = 'moved01' where name = 'renamed01'`);
    }
  });

  it('contains an asset that comes into the limits, without its past', async () => {
    await site.addSignals({ name: 'past', host: 'came01', severity: 5, attributes: FINANCE });
    const stream = await started();
    await site.addSignals({ name: 'new', host: 'came01', cve: 'CVE-2017-0144', attributes: SALES });
    await received(stream, isScoreOf('came01'));
    expect(stream.events.map(({ event, data }) => [event, data.change.name])).toEqual([
      ['asset', 'updated'],
      ['finding', 'created'],
      ['score', 'changed'],
    ]);
    expect(stream.events[2]!.data).toMatchObject({
      score: expect.any(Number),
      previousScore: null,
      previousBreachLikelihood: null,
    });
  });

  it('contains a score for those who see its asset, also if it is changed as of an earlier time', async () => {
    const other = await tokenOf(site, 'other', { departments: ['Finance'] });
    const signal = { name: 'rescored', host: 'rescored01', cve: 'CVE-2014-0160' };
    await site.addSignals({ ...signal, attributes: SALES });
    const inSales = site.now;
    await site.addSignals({ ...signal, attributes: FINANCE });
    const id = await site.assetId('rescored01');
    const [sales, finance] = [await started(), await follow(site.gateway.url, other.token)];
    await until('the stream is open', async () => finance.others.length > 0);
    await site.importForecast(signal.cve, 0.5, inSales);
    await site.score();
    await received(finance, isScoreOf('rescored01'));
    const [changed] = finance.events;
    expect(changed!.data).toMatchObject({ previousScore: expect.any(Number) });
    expect(changed!.data.score).toBe((await site.client.get(`/api/v3/assets/${id}/score`)).score);

    // Back in Sales: what is scored as of a time before it left is not to be ignored.
    const leaves = site.now;
    await site.addSignals({ ...signal, attributes: SALES });
    await site.importForecast(signal.cve, 0.9, inSales + 1);
    await site.score();
    await received(sales, isScoreOf('rescored01'));
    expect(sales.events.map(({ event }) => event)).toEqual(['asset', 'score']);
    const [, again] = sales.events;
    expect(Date.parse(again!.data.change.at)).toBeGreaterThan(leaves);
    // It had that score in Sales too.
    expect(again!.data.previousScore).toBe(changed!.data.score);
  });

  it('continues after an id, which is not one of other callers', async () => {
    const first = await started();
    await site.addSignals({ name: 'one', host: 'resume01', attributes: SALES });
    await received(first, isScoreOf('resume01'));
    first.close();
    await site.addSignals({ name: 'two', host: 'resume01', cve: 'CVE-2017-0144', attributes: SALES });
    const [asset, finding] = first.events;
    for (const { id } of [asset!, finding!]) {
      const stream = await started(id);
      await received(stream, ({ data }) => data.name === 'two');
      const seen = stream.events.map(({ data }) => data.name ?? data.assetName);
      expect(seen.includes('one')).toBe(id === asset!.id);
      stream.close();
    }
    const whole = await tokenOf(site, 'whole');
    const unlimited = await follow(site.gateway.url, whole.token, asset!.id);
    await until('an unlimited caller continues there too', async () => unlimited.events.length > 2);
    for (const id of ['a:0.0.0.0', unlimited.events[0]!.id, `${asset!.id}A`, asset!.id.slice(0, -4), 'v1-']) {
      await expect(follow(site.gateway.url, limited.token, id)).rejects.toThrow(
        /answered 400: .*Last-Event-ID must be the id of an event of this stream/,
      );
    }
  });

  it('ends within a second of the revocation of its token at another gateway', async () => {
    const other = await StartedGateway.start({ beside: site.gateway, clock: () => site.now });
    try {
      const revoked = await tokenOf(site, 'revoked', LIMITS);
      const stream = await follow(other.url, revoked.token);
      await until('the stream is open', async () => stream.others.length > 0);
      const begun = performance.now();
      const { status } = await site.client.request('DELETE', `/api/v3/tokens/${revoked.id}`);
      expect(status).toBe(200);
      await stream.ended;
      expect(performance.now() - begun).toBeLessThan(ENDS_MS_MAX);
      expect(stream.events).toEqual([
        { event: 'end', id: undefined, data: { reason: 'revoked', message: expect.any(String) } },
      ]);
    } finally {
      await other.stop();
    }
  });
});

const PLACES = ['Sales', 'Finance', 'IT'].flatMap((department) =>
  ['Berlin', 'Oslo'].map((location) => ({ department, location })),
);

interface World {
  limits: { departments?: string[]; locations?: string[] };
  /** Each is one upload, in which a host has one place. */
  uploads: { host: string; place: { department: string; location: string }; names: string[] }[][];
}

const world: fc.Arbitrary<World> = fc.record({
  limits: fc.constantFrom<World['limits']>(
    { departments: ['Sales'] },
    { departments: ['Sales', 'IT'] },
    { locations: ['Berlin'] },
    { departments: ['Sales'], locations: ['Berlin'] },
  ),
  uploads: fc.array(
    fc.uniqueArray(
      fc.record({
        host: fc.constantFrom('h1', 'h2', 'h3', 'h4'),
        place: fc.constantFrom(...PLACES),
        names: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      }),
      { minLength: 1, maxLength: 4, selector: ({ host }) => host },
    ),
    { minLength: 2, maxLength: 8 },
  ),
});

describe('a copy that a limited subscriber makes of its stream', () => {
  it(
    'is at last what lists contain, wherever assets have moved',
    async () => {
      await fc.assert(
        fc.asyncProperty(world, async ({ limits, uploads }) => {
          const site = await ScoredSite.start(BEGIN);
          try {
            const { token } = await tokenOf(site, 'limited', limits);
            const live = await follow(site.gateway.url, token);
            await until('the stream is open', async () => live.others.length > 0);
            for (const upload of uploads) await site.addSignals(...signalsOf(upload));
            const [department = 'IT'] = limits.departments ?? [];
            const [location = 'Berlin'] = limits.locations ?? [];
            await site.addSignals({ name: 'end', host: 'end', attributes: { department, location } });
            const lists = await listsOf(site, token);
            // The whole past at once: all assets, then all findings, then all scores.
            const again = await follow(site.gateway.url, token, startOf(live));
            const isComplete = (stream: FollowedStream) =>
              stream.events.length === live.events.length &&
              stream.events.some(({ event, data }) => event === 'score' && data.assetName === 'end') &&
              isCopy(stream, lists);
            await until('both copies are complete', async () => [live, again].every(isComplete));
          } finally {
            for (const stream of open.splice(0)) stream.close();
            await site.stop();
          }
        }),
        { numRuns: runs(16) },
      );
    },
    RUN_MS_MAX,
  );
});

const signalsOf = (upload: World['uploads'][number]): ScoredSignal[] =>
  upload.flatMap(({ host, place, names }) => names.map((name) => ({ name, host, attributes: place })));

interface Lists {
  assets: { id: string; name: string }[];
  findings: { id: string; assetId: string; state: string }[];
  scores: { assetId: string; score: number | null }[];
}

async function listsOf(site: ScoredSite, token: string): Promise<Lists> {
  const items = async (path: string) => {
    const answer = await fetch(`${site.gateway.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { items: any[] }).items;
  };
  return {
    assets: await items('/api/v3/assets?limit=100'),
    findings: await items('/api/v3/findings?limit=100&state=Failed,Qualified,Retired'),
    scores: (await items('/api/v3/scores/assets?limit=100')).map(({ id, assetId = id, score }) => ({
      assetId,
      score,
    })),
  };
}

/** Whether the copy of what has come so far has the rows of the lists. */
function isCopy({ events }: FollowedStream, { assets, findings, scores }: Lists): boolean {
  const copy = new SubscribedCopy();
  for (const event of events) copy.apply(event);
  const read = new Set([...copy.assets].flatMap(([id, { hasEntered }]) => (hasEntered ? [id] : [])));
  const ofCopy = (assetId: string) => !read.has(assetId);
  const same = (some: unknown[][], others: unknown[][]) =>
    JSON.stringify(some.sort()) === JSON.stringify(others.sort());
  return (
    same(
      [...copy.assets].map(([id, { name }]) => [id, name]),
      assets.map(({ id, name }) => [id, name]),
    ) &&
    same(
      [...copy.findings].flatMap(([id, { assetId, state }]) => (ofCopy(assetId) ? [[id, state]] : [])),
      findings.flatMap(({ id, assetId, state }) => (ofCopy(assetId) ? [[id, state]] : [])),
    ) &&
    same(
      [...copy.scores].flatMap(([assetId, score]) => (ofCopy(assetId) ? [[assetId, score]] : [])),
      scores.flatMap(({ assetId, score }) => (ofCopy(assetId) ? [[assetId, score]] : [])),
    )
  );
}
