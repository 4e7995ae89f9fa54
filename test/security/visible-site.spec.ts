import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import type { ScoredSignal, ScoredSite } from '../fixtures/scores/scored-site.ts';
import { DeliveringSite } from '../fixtures/security/delivering-site.ts';
import { FollowedStream } from '../fixtures/security/followed-stream.ts';
import { runs } from '../support/long-run.ts';
import { until } from '../support/until.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const RUN_MS_MAX = 600_000;
const CVES = ['CVE-2021-44228', 'CVE-2017-0144', 'CVE-2014-0160'];
const DEPARTMENTS = ['Sales', 'Finance', 'IT'];
const LOCATIONS = ['Berlin', 'Oslo'];
const HOSTS = Array.from({ length: 6 }, (_, i) => `host${i}`);

const LOSS_SETTINGS = {
  scoringModel: 'posture-2',
  baseRate: { low: 0.2, best: 0.5, high: 0.9 },
  loss: [
    { currency: 'EUR', criticality: 'medium', min: 1_000, max: 50_000 },
    { currency: 'EUR', department: 'Finance', criticality: 'medium', min: 70_000, max: 900_000 },
  ],
};

interface Limits {
  departments?: string[];
  locations?: string[];
}

/** A host keeps its department and its location. */
interface World {
  places: { department: string; location: string }[];
  /** Each is one upload. */
  uploads: { host: number; name: string; cve: string; status: 'pass' | 'fail'; severity: number }[][];
  limits: Limits;
}

const world: fc.Arbitrary<World> = fc.record({
  places: fc.array(
    fc.record({ department: fc.constantFrom(...DEPARTMENTS), location: fc.constantFrom(...LOCATIONS) }),
    { minLength: HOSTS.length, maxLength: HOSTS.length },
  ),
  uploads: fc.array(
    fc.uniqueArray(
      fc.record({
        host: fc.nat(HOSTS.length - 1),
        name: fc.constantFrom('a', 'b', 'c'),
        cve: fc.constantFrom(...CVES),
        status: fc.constantFrom('fail' as const, 'fail' as const, 'pass' as const),
        severity: fc.constantFrom(3.1, 6.5, 9.8),
      }),
      { minLength: 1, maxLength: 8, selector: ({ host, name }) => `${host}/${name}` },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  limits: fc
    .record({
      departments: fc.option(fc.subarray(DEPARTMENTS, { minLength: 1 }), { nil: undefined }),
      locations: fc.option(fc.subarray(LOCATIONS, { minLength: 1 }), { nil: undefined }),
    })
    .filter(({ departments, locations }) => departments !== undefined || locations !== undefined),
});

const isVisible = ({ places, limits }: World, host: number): boolean =>
  (limits.departments?.includes(places[host]!.department) ?? true) &&
  (limits.locations?.includes(places[host]!.location) ?? true);

/** A site with a caller that has the limits, and follows the changes by its stream and a webhook. */
interface FollowedSite {
  delivering: DeliveringSite;
  site: ScoredSite;
  token: string;
  stream: FollowedStream;
  /** Of a webhook of the caller. */
  receiver: WebhookReceiver;
}

/** A site that takes the same uploads at the same times, or only what they contain of some hosts. */
async function siteWith(given: World, takes: (host: number) => boolean): Promise<FollowedSite> {
  const delivering = await DeliveringSite.start(BEGIN);
  const { site } = delivering;
  const { status, body } = await site.client.request(
    'PATCH',
    '/api/v3/settings',
    JSON.stringify(LOSS_SETTINGS),
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  const { limits } = given;
  const { token } = (await site.post('/api/v3/tokens', { name: 'limited', scopes: SCOPES, ...limits })).body;
  const stream = await FollowedStream.open(site.gateway.url, token);
  await until('the stream is open', async () => stream.others.length > 0);
  const receiver = await delivering.receiver();
  await ask(site, token, 'POST', '/api/v3/webhooks', { url: receiver.url });
  for (const upload of given.uploads) {
    const signals: ScoredSignal[] = upload
      .filter(({ host }) => takes(host))
      .map(({ host, ...signal }) => ({
        ...signal,
        host: HOSTS[host]!,
        attributes: { ...given.places[host]!, criticality: 'medium' },
      }));
    if (signals.length === 0) site.pass();
    else await site.addSignals(...signals);
  }
  const failed = (await site.client.all('/api/v3/findings?state=Failed')).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  for (const name of HOSTS) {
    const finding = failed.find(({ assetName }) => assetName === name);
    if (finding) await site.accept(finding.id);
    else site.pass();
  }
  return { delivering, site, token, stream, receiver };
}

async function ask(site: ScoredSite, token: string, method: string, path: string, given?: object) {
  const answer = await fetch(`${site.gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(given && { body: JSON.stringify(given) }),
  });
  return { status: answer.status, body: (await answer.json()) as any };
}

/** The responses to the caller, without what numbers and names uploads. */
async function responsesTo({ site, token }: FollowedSite): Promise<Record<string, unknown>> {
  const responseTo = async (method: string, path: string, given?: object) => {
    const { status, body } = await ask(site, token, method, path, given);
    return [status, withoutNumbers(body)];
  };
  const found: Record<string, unknown> = {};
  for (const path of PATHS) found[path] = await responseTo('GET', path);
  for (const cve of CVES) {
    found[`what if ${cve}`] = await responseTo('POST', '/api/v3/scores/what-if', { fixedCves: [cve] });
  }
  return found;
}

const PATHS = [
  '/api/v3/assets',
  '/api/v3/assets/counts',
  '/api/v3/assets/coverage',
  '/api/v3/findings?state=Failed,Qualified',
  '/api/v3/findings/counts',
  ...['cve', 'technique', 'title'].map((by) => `/api/v3/findings/groups?by=${by}`),
  '/api/v3/scores/assets',
  '/api/v3/scores/fixes',
  ...DEPARTMENTS.map((name) => `/api/v3/scores/fixes?department=${name}`),
  '/api/v3/loss',
  ...LOCATIONS.map((name) => `/api/v3/loss?location=${name}`),
  '/api/v3/loss/fixes',
  '/api/v3/audit',
];

/** Ids of uploads are random, and lists are in the order of internal numbers. */
function withoutNumbers(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNumbers).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (LEFT_OUT.has(name) ? [] : [[name, withoutNumbers(one)]])),
  );
}

/** The time of the last signal is that of the reading; entries are numbered in the upload. */
const LEFT_OUT = new Set([
  'nextCursor',
  'uploadId',
  'signalId',
  'requestId',
  'entry',
  'eventId',
  'lastSeen',
  'expiresAt',
  'origins',
]);

interface Received {
  kind: string;
  data: any;
}

/** What the caller has received by its stream and its webhook, when all changes of the visible hosts have come. */
async function changesOf({ site, stream, receiver }: FollowedSite, given: World): Promise<object> {
  const hosts = HOSTS.filter((_, host) => isVisible(given, host));
  const { rows } = await site.gateway.database.pool.query(
    `with visible as (select asset_no from assets where name = any($1))
     select count(*)::int as count from (
       select asset_no from asset_history union all select asset_no from finding_history
       union all select asset_no from score_changes) changes join visible using (asset_no)`,
    [hosts],
  );
  const delivered = () => [...new Map(receiver.events.map((event) => [event.id, event])).values()];
  await until(
    'all changes have come',
    async () => stream.events.length >= rows[0].count && delivered().length >= rows[0].count,
  );
  expect([stream.events.length, delivered().length]).toEqual([rows[0].count, rows[0].count]);
  return {
    streamed: byHost(stream.events.map(({ event, data }) => ({ kind: event!, data }))),
    delivered: byHost(delivered().map(({ type, data }) => ({ kind: type, data }))),
  };
}

/** In order for each kind and host. */
function byHost(received: Received[]): Record<string, unknown> {
  const named = received.map(({ kind, data }) => [
    `${kind} of ${data.assetName ?? data.name}`,
    withoutNumbers(data),
  ]);
  return Object.fromEntries(
    [...new Set(named.map(([of]) => of as string))].map((of) => [
      of,
      named.flatMap(([one, data]) => (one === of ? [data] : [])),
    ]),
  );
}

/** The whole past at once: what a new webhook and its deliveries look like to the caller. */
async function replayedBy({ delivering, site, token, receiver: other }: FollowedSite): Promise<object> {
  const receiver = await delivering.receiver();
  const from = new Date(BEGIN).toISOString();
  const { body } = await ask(site, token, 'POST', '/api/v3/webhooks', { url: receiver.url, from });
  const { secret: _, ...webhook } = body;
  const ids = ({ events }: WebhookReceiver): string[] => [...new Set(events.map(({ id }) => id))].sort();
  await until('all changes come again', async () => ids(receiver).length >= ids(other).length);
  const { items } = await settled(`/api/v3/webhooks/${body.id}/deliveries`, { site, token });
  return {
    hasTheSameIds: JSON.stringify(ids(receiver)) === JSON.stringify(ids(other)),
    webhook: shown(webhook),
    deliveries: items.map(shown),
  };
}

/** The list when all deliveries are delivered. */
async function settled(path: string, { site, token }: Pick<FollowedSite, 'site' | 'token'>) {
  let list = (await ask(site, token, 'GET', path)).body;
  await until('all are delivered', async () => {
    list = (await ask(site, token, 'GET', path)).body;
    return list.items.every(({ status }: { status: string }) => status === 'delivered');
  });
  return list;
}

/** Texts become their lengths; the address of the receiver and the time of an attempt are left out. */
const shown = ({ answer: _, url: __, ...row }: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value.length : value]),
  );

describe('a caller that is limited to departments or locations', () => {
  it(
    'gets the responses of a site that has no other assets',
    async () => {
      await fc.assert(
        fc.asyncProperty(world, async (given) => {
          const whole = await siteWith(given, () => true);
          const visible = await siteWith(given, (host) => isVisible(given, host));
          try {
            expect(await responsesTo(whole)).toEqual(await responsesTo(visible));
            expect(await changesOf(whole, given)).toEqual(await changesOf(visible, given));
            expect(await replayedBy(whole)).toEqual(await replayedBy(visible));
          } finally {
            for (const { stream } of [whole, visible]) stream.close();
            await Promise.all([whole.delivering.stop(), visible.delivering.stop()]);
          }
        }),
        { numRuns: runs(8) },
      );
    },
    RUN_MS_MAX,
  );
});
