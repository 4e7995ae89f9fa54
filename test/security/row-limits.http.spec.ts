import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { GROUPINGS } from '../../apps/gateway/src/findings/finding-groups.dto.ts';
import { ScoredSite } from '../fixtures/scores/scored-site.ts';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { until } from '../support/until.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const NOBODY = '00000000-0000-4000-8000-000000000000';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** In each text of an asset that limited callers may not see, and of each list of which they see a part. */
const MARKER = {
  byDepartment: /hidden|CVE-2031-|Finance/i,
  byLocation: /hidden|CVE-2031-|Oslo|Kiel/i,
  byBoth: /hidden|CVE-2031-|Finance|Oslo|Kiel/i,
};
type Limited = keyof typeof MARKER;
const LIMITS: Record<Limited, object> = {
  byDepartment: { departments: ['Sales'] },
  byLocation: { locations: ['Berlin'] },
  byBoth: { departments: ['Sales'], locations: ['Berlin'] },
};
const LIMITED = Object.keys(LIMITS) as Limited[];

/**
 * What each route of the OpenAPI document does for a caller that is limited to departments or locations. A new route has
 * to be added here. `rows`: it returns and changes only rows of visible assets; `open`: it contains no rows of assets;
 * `refused`: 403, because its result cannot be limited (docs/access.md); `public`: it needs no token.
 */
const ROUTES: Record<string, 'rows' | 'open' | 'refused' | 'public'> = {
  'delete /api/v3/tokens/{id}': 'open',
  'get /api/v3/tokens': 'open',
  'get /api/v3/tokens/{id}': 'open',
  'patch /api/v3/tokens/{id}': 'open',
  'post /api/v3/tokens': 'open',
  'post /api/v3/tokens/{id}/rotate': 'open',
  'get /api/v3/assets': 'rows',
  'get /api/v3/assets/counts': 'rows',
  'get /api/v3/assets/coverage': 'rows',
  'get /api/v3/assets/export': 'rows',
  'get /api/v3/assets/{id}': 'rows',
  'get /api/v3/assets/{id}/findings': 'rows',
  'get /api/v3/assets/{id}/score': 'rows',
  'get /api/v3/assets/{id}/score/explain': 'rows',
  'get /api/v3/assets/{id}/score/history': 'rows',
  'get /api/v3/attack-matrix': 'rows',
  'get /api/v3/audit': 'rows',
  'post /api/v3/auth': 'public',
  'get /api/v3/changes': 'rows',
  'delete /api/v3/company/departments/{id}': 'refused',
  'get /api/v3/company/departments': 'rows',
  'patch /api/v3/company/departments/{id}': 'refused',
  'post /api/v3/company/departments': 'refused',
  'delete /api/v3/credentials/{id}': 'open',
  'get /api/v3/credentials': 'open',
  'post /api/v3/credentials': 'open',
  'post /api/v3/credentials/{id}/rotate': 'open',
  'delete /api/v3/custom-fields/{id}': 'refused',
  'get /api/v3/custom-fields': 'open',
  'get /api/v3/custom-fields/{id}': 'open',
  'patch /api/v3/custom-fields/{id}': 'refused',
  'post /api/v3/custom-fields': 'refused',
  'get /api/v3/egress': 'refused',
  'get /api/v3/erasures': 'refused',
  'post /api/v3/erasures': 'refused',
  'get /api/v3/findings': 'rows',
  'get /api/v3/findings/counts': 'rows',
  'get /api/v3/findings/export': 'rows',
  'get /api/v3/findings/groups': 'rows',
  'get /api/v3/findings/remediation': 'rows',
  'get /api/v3/findings/{id}': 'rows',
  'get /api/v3/findings/{id}/comments': 'rows',
  'get /api/v3/findings/{id}/history': 'rows',
  'get /api/v3/findings/{id}/instances': 'rows',
  'post /api/v3/findings/accept': 'rows',
  'post /api/v3/findings/acts': 'rows',
  'post /api/v3/findings/revert': 'rows',
  'post /api/v3/findings/{id}/accept': 'rows',
  'post /api/v3/findings/{id}/assign': 'rows',
  'post /api/v3/findings/{id}/comments': 'rows',
  'post /api/v3/findings/{id}/due': 'rows',
  'post /api/v3/findings/{id}/revert': 'rows',
  'post /api/v3/findings/{id}/tags': 'rows',
  'post /api/v3/findings/{id}/tickets': 'rows',
  'delete /api/v3/locations/{id}': 'refused',
  'get /api/v3/locations': 'rows',
  'patch /api/v3/locations/{id}': 'refused',
  'post /api/v3/locations': 'refused',
  'get /api/v3/loss': 'rows',
  'get /api/v3/loss/fixes': 'rows',
  'get /api/v3/notification-settings': 'refused',
  'patch /api/v3/notification-settings': 'refused',
  'get /api/v3/notifications': 'rows',
  'get /api/v3/notifications/preferences': 'rows',
  'get /api/v3/notifications/unread': 'rows',
  'patch /api/v3/notifications/preferences': 'rows',
  'patch /api/v3/notifications/{id}': 'rows',
  'post /api/v3/notifications/read': 'rows',
  'post /api/v3/notifications/test': 'rows',
  'delete /api/v3/plans/{id}': 'rows',
  'get /api/v3/plans': 'rows',
  'get /api/v3/plans/{id}': 'rows',
  'get /api/v3/plans/{id}/burn-down': 'rows',
  'get /api/v3/plans/{id}/outcome': 'refused',
  'patch /api/v3/plans/{id}': 'rows',
  'post /api/v3/plans': 'rows',
  'delete /api/v3/report-schedules/{id}': 'rows',
  'get /api/v3/report-schedules': 'rows',
  'get /api/v3/report-schedules/{id}': 'rows',
  'get /api/v3/report-schedules/{id}/deliveries': 'rows',
  'patch /api/v3/report-schedules/{id}': 'rows',
  'post /api/v3/report-schedules': 'rows',
  'post /api/v3/report-schedules/preview': 'rows',
  'post /api/v3/report-schedules/{id}/send': 'rows',
  'get /api/v3/reports/board': 'refused',
  'get /api/v3/reports/formats': 'open',
  'get /api/v3/reports/technical': 'rows',
  'post /api/v3/reports': 'refused',
  'post /api/v2/import-scan': 'refused',
  'post /api/v2/reimport-scan': 'refused',
  'delete /api/v3/roles/{name}': 'refused',
  'get /api/v3/roles': 'open',
  'patch /api/v3/roles/{name}': 'refused',
  'post /api/v3/roles': 'refused',
  'get /api/v3/scores/asset-types': 'refused',
  'get /api/v3/scores/assets': 'rows',
  'get /api/v3/scores/attack-surfaces': 'refused',
  'get /api/v3/scores/departments': 'rows',
  'get /api/v3/scores/fixes': 'rows',
  'get /api/v3/scores/locations': 'rows',
  'get /api/v3/scores/organization': 'refused',
  'get /api/v3/scores/organization/explain': 'refused',
  'get /api/v3/scores/organization/history': 'rows',
  'post /api/v3/scores/what-if': 'rows',
  'get /api/v3/security-events': 'refused',
  'get /api/v3/security-events/export': 'refused',
  'delete /api/v3/credentials/{id}/break-glass': 'open',
  'post /api/v3/credentials/{id}/break-glass': 'open',
  'delete /api/v3/credentials/{id}/second-factor': 'open',
  'get /api/v3/second-factor': 'open',
  'post /api/v3/second-factor': 'open',
  'post /api/v3/second-factor/confirm': 'open',
  'post /api/v3/second-factor/recovery-codes': 'open',
  'post /api/v3/second-factor/remove': 'open',
  'get /api/v3/users': 'open',
  'patch /api/v3/users/{id}': 'open',
  'delete /api/v3/users/{id}': 'open',
  'get /api/v3/me': 'open',
  'get /api/v3/session': 'open',
  'post /api/v3/session/extend': 'open',
  'delete /api/v3/sessions/{id}': 'open',
  'get /api/v3/sessions': 'open',
  'post /api/v3/sessions': 'public',
  'post /api/v3/sessions/end-others': 'open',
  'get /api/v3/identity-providers': 'refused',
  'post /api/v3/identity-providers': 'refused',
  'patch /api/v3/identity-providers/{id}': 'refused',
  'delete /api/v3/identity-providers/{id}': 'refused',
  'get /api/v3/sign-in': 'public',
  'get /api/v3/sign-in/{provider}/logout': 'public',
  'post /api/v3/sign-in/{provider}': 'public',
  'post /api/v3/sign-in/{provider}/finish': 'public',
  'post /api/v3/sign-in/{provider}/logout': 'public',
  'get /api/v3/settings': 'refused',
  'patch /api/v3/settings': 'refused',
  'get /api/v3/owner-rules': 'refused',
  'post /api/v3/owner-rules': 'refused',
  'post /api/v3/owner-rules/preview': 'refused',
  'get /api/v3/history-retention': 'refused',
  'get /api/v3/history-retention/preview': 'refused',
  'get /api/v3/history-retention/summary': 'refused',
  'post /api/v3/history-retention/runs': 'refused',
  'get /api/v3/refused-uploads': 'refused',
  'get /api/v3/storage': 'refused',
  'post /api/v3/signals': 'refused',
  'post /api/v3/signals/zip': 'refused',
  'get /api/v3/uploads': 'refused',
  'get /api/v3/uploads/{id}': 'refused',
  'get /api/v3/uploads/{id}/changes': 'rows',
  'delete /api/v3/views/{id}': 'open',
  'get /api/v3/views': 'open',
  'get /api/v3/views/{id}': 'open',
  'patch /api/v3/views/{id}': 'open',
  'post /api/v3/views': 'open',
  'delete /api/v3/webhooks/{id}': 'rows',
  'get /api/v3/webhooks': 'rows',
  'get /api/v3/webhooks/{id}': 'rows',
  'get /api/v3/webhooks/{id}/deliveries': 'rows',
  'patch /api/v3/webhooks/{id}': 'rows',
  'post /api/v3/webhooks': 'rows',
  'post /api/v3/webhooks/{id}/pause': 'rows',
  'post /api/v3/webhooks/{id}/replay': 'rows',
  'post /api/v3/webhooks/{id}/resume': 'rows',
  'post /api/v3/webhooks/{id}/rotate': 'rows',
  'post /api/v3/webhooks/{id}/test': 'rows',
  'get /health/live': 'public',
  'get /health/ready': 'public',
  'delete /integrations/{id}': 'refused',
  'get /integrations': 'refused',
  'get /integrations/{id}': 'refused',
  'get /integrations/{id}/assets': 'rows',
  'get /integrations/{id}/findings': 'rows',
  'get /integrations/{id}/history': 'refused',
  'patch /integrations/{id}': 'refused',
  'post /integration': 'refused',
  'post /integrations/test': 'refused',
  'post /integrations/{id}/sync': 'refused',
  'post /integrations/{id}/sync/cancel': 'refused',
  'post /integrations/{id}/test': 'refused',
  'get /metrics': 'public',
  'get /schemas/ids/{id}': 'public',
  'get /schemas/signal.schema.json': 'public',
  'get /settings/os-to-safe-asset-type-mapping': 'open',
  'post /settings/os-to-safe-asset-type-mapping': 'refused',
  'get /subjects': 'public',
  'get /subjects/{subject}/versions': 'public',
  'get /subjects/{subject}/versions/{version}': 'public',
};

/** Each channel of the AsyncAPI document, and how limited callers are kept from it. */
const CHANNELS: Record<string, string> = {
  findings: 'Kafka: readers of the broker see all changes',
  assets: 'Kafka: readers of the broker see all changes',
  scores: 'Kafka: readers of the broker see all changes',
  quarantine: 'Kafka: only the programs read it',
  intake: 'Kafka: only the programs read it',
  signals: 'Kafka: only the programs read it',
  refusedSignals: 'Kafka: readers of the broker see what was refused',
  stream: 'get /api/v3/changes',
  webhook: 'post /api/v3/webhooks',
};

const FALCON = {
  type: 'edrplugin',
  subType: 'falcon',
  name: 'Falcon',
  config: { url: 'https://edr.example', clientId: 'client-1', clientSecret: 'secret-of-a-client' },
};

const LOSS_SETTINGS = {
  scoringModel: 'posture-2',
  loss: [
    { currency: 'EUR', criticality: 'medium', min: 1_000, max: 50_000 },
    { currency: 'EUR', department: 'Finance', criticality: 'medium', min: 70_000, max: 900_000 },
  ],
};

interface Operation {
  'x-limited-callers'?: string;
}

let site: ScoredSite;
let routes: string[];
let document: { paths: Record<string, Record<string, Operation>> };
/** Of tokens with all scopes. */
let callers: Record<Limited, ReturnType<typeof callerOf>>;
/** Ids of visible and hidden things. */
let asset: { own: string; hidden: string; came: string; left: string };
let finding: { own: string; hidden: string; came: string; left: string };
let integration: string;
/** Of a visible finding and a hidden one. */
let plan: string;
let uploads: string[];
/** After it was added. */
let plannedAt: string;
/** While `left` belonged to the visible department, and `came` did not. */
let before: string;

const callerOf = (url: string, token: string) => async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  return { status: answer.status, text: await answer.text() };
};

const tokenWith = async (name: string, limits: object) => {
  const answer = await site.post('/api/v3/tokens', { name, scopes: SCOPES, ...limits });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return callerOf(site.gateway.url, answer.body.token);
};

const SALES = { department: 'Sales', location: 'Berlin', criticality: 'medium' };
const FINANCE = { department: 'Finance', location: 'Oslo', criticality: 'medium' };

/** Findings of the source of the integration too. */
const edr = (name: string, host: string, attributes: object) => ({
  ...plainSignal(name, host, { source: { name: 'Falcon' } }),
  securityContext: {
    type: 'edr',
    status: { complianceStatus: 'fail' },
    severity: { value: 5 },
    attackPattern: [{ mapping: { techniqueId: `id of ${name}` } }],
  },
  entity: { type: 'machine', name: host, entityAttributes: attributes },
});

async function addEdr(...signals: object[]): Promise<void> {
  site.pass();
  const zip = await zipOf(Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal])));
  const { body } = await site.client.zip(zip);
  await site.client.folded(body.uploadId);
  await site.score();
}

const idOf = async (client: ApiClient, path: string): Promise<string> => (await client.all(path))[0].id;

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  document = (await (await fetch(`${site.gateway.url}/docs-json`)).json()) as typeof document;
  routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => METHODS.includes(method))
      .map((method) => `${method} ${path}`),
  );
  for (const [path, name] of [
    ['/api/v3/company/departments', 'Sales'],
    ['/api/v3/company/departments', 'Finance'],
    ['/api/v3/locations', 'Berlin'],
    ['/api/v3/locations', 'Oslo'],
  ]) {
    expect((await site.post(path!, { name })).status).toBe(200);
  }
  const changed = await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(LOSS_SETTINGS));
  expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
  const added = await site.post('/integration', FALCON);
  expect([added.status, added.body]).toEqual([200, expect.anything()]);
  integration = added.body.id;

  await site.addSignals(
    { name: 'own weakness', host: 'own01', cve: 'CVE-2021-44228', attributes: SALES },
    { name: 'hidden weakness', host: 'hidden01', cve: 'CVE-2031-99999', attributes: FINANCE },
    { name: 'moving', host: 'came01', cve: 'CVE-2031-88888', attributes: FINANCE },
    { name: 'leaving', host: 'left01', cve: 'CVE-2021-44228', attributes: SALES },
    { name: 'no place', host: 'hidden-default01', cve: 'CVE-2031-77777' },
    {
      name: 'half',
      host: 'half01',
      cve: 'CVE-2021-44228',
      attributes: { ...SALES, location: 'Kiel' },
    },
  );
  await addEdr(edr('own detection', 'own01', SALES), edr('hidden detection', 'hidden01', FINANCE));
  site.pass(60_000);
  before = new Date(site.pass(60_000)).toISOString();
  await site.addSignals(
    { name: 'moving', host: 'came01', cve: 'CVE-2021-44228', attributes: SALES },
    { name: 'hidden since', host: 'left01', cve: 'CVE-2031-66666', attributes: FINANCE },
    { name: 'leaving', host: 'left01', cve: 'CVE-2031-55555', attributes: FINANCE },
  );
  await site.forecast('CVE-2021-44228', 0.9);
  callers = {
    byDepartment: await tokenWith('by-department', LIMITS.byDepartment),
    byLocation: await tokenWith('by-location', LIMITS.byLocation),
    byBoth: await tokenWith('by-both', LIMITS.byBoth),
  };
  await tokenWith('hidden-token', { departments: ['Finance'], locations: ['Oslo'] });
  const webhook = { url: 'https://hidden.example', departments: ['Finance'], locations: ['Oslo'] };
  expect((await site.post('/api/v3/webhooks', webhook)).status).toBe(200);
  const ofAsset = (name: string) => idOf(site.client, `/api/v3/assets?name=${name}`);
  const ofFinding = (name: string) => idOf(site.client, `/api/v3/findings?name=${encodeURIComponent(name)}`);
  asset = {
    own: await ofAsset('own01'),
    hidden: await ofAsset('hidden01'),
    came: await ofAsset('came01'),
    left: await ofAsset('left01'),
  };
  finding = {
    own: await ofFinding('own weakness'),
    hidden: await ofFinding('hidden weakness'),
    came: await ofFinding('moving'),
    left: await ofFinding('leaving'),
  };
  await site.post('/api/v3/plans', { name: 'hidden plan', add: [finding.hidden] });
  const both = { name: 'both', add: [finding.own, finding.hidden], query: 'name=hidden' };
  plan = (await site.post('/api/v3/plans', both)).body.id;
  plannedAt = new Date(site.pass()).toISOString();
  uploads = (await site.client.all('/api/v3/uploads')).map(({ id }) => id);
});
afterAll(() => site.stop());

/** Requests that read rows: list routes with each kind of parameter, and the visible ids. */
const readings = (): string[] => {
  const from = encodeURIComponent(before);
  const lists = ['/api/v3/assets', '/api/v3/findings', '/api/v3/scores/assets'];
  return [
    ...lists.flatMap((path) => [path, `${path}?limit=1`, `${path}?asOf=${from}`]),
    ...['name', '-updatedAt', 'score', '-score', 'criticality'].map((sort) => `/api/v3/assets?sort=${sort}`),
    ...['severity', '-name', 'updatedAt', 'assetName'].map((sort) => `/api/v3/findings?sort=${sort}`),
    '/api/v3/assets?department=Finance',
    '/api/v3/assets?location=Oslo',
    '/api/v3/assets?q=hidden01',
    '/api/v3/assets?scored=true',
    '/api/v3/assets/coverage',
    '/api/v3/findings?cve=CVE-2031-99999',
    '/api/v3/findings?q=hidden',
    '/api/v3/findings?name=hidden%20weakness',
    '/api/v3/findings?state=Failed,Qualified,Retired',
    '/api/v3/scores/assets?department=Finance',
    '/api/v3/scores/assets?scored=false',
    ...['assets', 'findings'].flatMap((what) => [
      `/api/v3/${what}/counts`,
      `/api/v3/${what}/counts?asOf=${from}`,
      ...['csv', 'jsonl'].map((format) => `/api/v3/${what}/export?format=${format}`),
      `/api/v3/${what}/export?format=jsonl&asOf=${from}`,
      `/integrations/${integration}/${what}`,
      `/integrations/${integration}/${what}?asOf=${from}`,
    ]),
    '/api/v3/findings/export?format=sarif',
    ...GROUPINGS.flatMap((by) =>
      ['', `&asOf=${from}`].map((query) => `/api/v3/findings/groups?by=${by}${query}`),
    ),
    // No technique of this matrix has a name with a marker.
    ...['', `&asOf=${from}`, '&format=navigator'].map((query) => `/api/v3/attack-matrix?domain=ics${query}`),
    `/api/v3/findings?assetId=${asset.hidden}`,
    `/api/v3/assets/${asset.own}`,
    `/api/v3/assets/${asset.own}/findings`,
    `/api/v3/assets/${asset.own}/findings?asOf=${from}`,
    `/api/v3/assets/${asset.own}/score`,
    `/api/v3/assets/${asset.own}/score?asOf=${from}`,
    `/api/v3/assets/${asset.own}/score/history`,
    `/api/v3/assets/${asset.own}/score/explain?from=${from}`,
    `/api/v3/assets/${asset.came}/score/history`,
    `/api/v3/findings/${finding.came}/history`,
    `/api/v3/assets/${asset.left}?asOf=${from}`,
    `/api/v3/assets/${asset.left}/findings?asOf=${from}`,
    `/api/v3/assets/${asset.left}/score?asOf=${from}`,
    `/api/v3/assets/${asset.left}/score/history?asOf=${from}`,
    `/api/v3/findings/${finding.own}`,
    `/api/v3/findings/${finding.own}/history`,
    `/api/v3/findings/${finding.left}?asOf=${from}`,
    `/api/v3/findings/${finding.left}/history?asOf=${from}`,
    ...['scores/fixes', 'loss', 'loss/fixes'].flatMap((path) =>
      ['', '?department=Sales', '?location=Berlin'].map((query) => `/api/v3/${path}${query}`),
    ),
    '/api/v3/scores/fixes?department=Finance',
    `/api/v3/scores/fixes?assetId=${asset.own}`,
    '/api/v3/credentials',
    '/api/v3/tokens',
    '/api/v3/roles',
    '/api/v3/sessions?of=all',
    '/api/v3/custom-fields',
    '/api/v3/webhooks',
    '/api/v3/audit',
    `/api/v3/audit?target=${finding.hidden}`,
    '/api/v3/audit?action=finding.accepted',
    '/api/v3/plans',
    `/api/v3/plans/${plan}`,
    `/api/v3/plans/${plan}/burn-down?asOf=${plannedAt}`,
    `/api/v3/findings?plan=${plan}`,
    ...uploads.map((id) => `/api/v3/uploads/${id}/changes`),
    '/api/v3/reports/formats',
    '/settings/os-to-safe-asset-type-mapping',
  ];
};

/** Scores of groups, for callers that see whole groups. */
const groupReadings = (by: Limited): string[] => {
  if (by === 'byBoth') return [];
  const [path, kind, own, other] =
    by === 'byDepartment'
      ? ['departments', 'department', 'Sales', 'Finance']
      : ['locations', 'location', 'Berlin', 'Oslo'];
  return [
    `/api/v3/scores/${path}`,
    `/api/v3/scores/${path}?limit=1`,
    `/api/v3/scores/${path}?asOf=${encodeURIComponent(before)}`,
    `/api/v3/scores/${path}?name=${own}`,
    `/api/v3/scores/${path}?name=${other}`,
    `/api/v3/scores/organization/history?${kind}=${own}&from=${new Date(MONDAY).toISOString()}&to=${before}`,
  ];
};

describe('a caller that is limited to departments or locations', () => {
  it('has an entry for every route of the OpenAPI document, which states it', () => {
    expect([...routes].sort()).toEqual(Object.keys(ROUTES).sort());
    const stated = Object.fromEntries(
      routes.map((route) => {
        const [method, path] = route.split(' ') as [string, string];
        return [route, document.paths[path]![method]!['x-limited-callers'] ?? null];
      }),
    );
    const expected = Object.fromEntries(
      Object.entries(ROUTES).map(([route, how]) => [route, how === 'rows' || how === 'open' ? how : null]),
    );
    expect(stated).toEqual(expected);
  });

  it('has an entry for every channel of the AsyncAPI document', async () => {
    const text = await readFile(new URL('../../schemas/asyncapi.yaml', import.meta.url), 'utf8');
    expect(Object.keys(parse(text).channels).sort()).toEqual(Object.keys(CHANNELS).sort());
    const overHttp = Object.values(CHANNELS).filter((how) => how in ROUTES);
    expect(overHttp.map((route) => ROUTES[route])).toEqual(['rows', 'rows']);
  });

  it('has a line in docs/access.md for every route that refuses it', async () => {
    const page = await readFile(new URL('../../docs/access.md', import.meta.url), 'utf8');
    const table = page.slice(page.indexOf('| refused | reason |'));
    const listed = [...table.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`]*)`(?=[^|\n]*\|[^|\n]*\|\n)/g)];
    const refused = Object.keys(ROUTES).filter((route) => ROUTES[route] === 'refused');
    expect(listed.map(([, method, path]) => `${method!.toLowerCase()} ${path}`).sort()).toEqual(
      refused.sort(),
    );
  });

  it('gets a 403 from each route that cannot be limited', async () => {
    for (const [route, how] of Object.entries(ROUTES)) {
      if (how !== 'refused') continue;
      const [method, path] = route.split(' ') as [string, string];
      const asked = path.replaceAll(/\{\w+\}/g, NOBODY);
      for (const caller of Object.values(callers)) {
        const { status, text } = await caller(method.toUpperCase(), asked, method === 'get' ? undefined : {});
        expect([route, status, JSON.parse(text).message]).toEqual([
          route,
          403,
          expect.stringContaining('limited to departments or locations'),
        ]);
      }
    }
  });

  it('gets a 403 from routes that the document leaves out', async () => {
    for (const path of ['products', 'engagements', 'tests', 'test_types', 'import-scan']) {
      expect((await callers.byDepartment('GET', `/api/v2/${path}/`)).status).not.toBe(200);
    }
  });

  it.each(LIMITED)('reads nothing of hidden assets: %s', async (by) => {
    const paths = [...readings(), ...groupReadings(by)];
    for (const path of paths) {
      const { status, text } = await callers[by]('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, MARKER[by].exec(text)]).toEqual([path, null]);
    }
  });

  it('reads what others see too', async () => {
    const everything = await Promise.all(
      readings().map(async (path) => {
        const { authorization } = site.client;
        return (await fetch(`${site.gateway.url}${path}`, { headers: { authorization } })).text();
      }),
    );
    for (const marker of Object.values(MARKER)) expect(everything.join('')).toMatch(marker);
  });

  it('sees the names of its own departments and locations', async () => {
    const names = async (by: Limited, path: string) =>
      JSON.parse((await callers[by]('GET', path)).text).items.map(({ name }: { name: string }) => name);
    expect(await names('byDepartment', '/api/v3/company/departments')).toEqual(['Sales']);
    expect(await names('byLocation', '/api/v3/locations')).toEqual(['Berlin']);
    expect(await names('byBoth', '/api/v3/company/departments')).toEqual(['Sales']);
  });

  it('sees its own rows, those of then as of an instant', async () => {
    const at = encodeURIComponent(before);
    const read = async (path: string, by: Limited = 'byDepartment') =>
      JSON.parse((await callers[by]('GET', path)).text);
    const names = async (path: string) =>
      (await read(path)).items.map(({ name }: { name: string }) => name).sort();
    const [now, then] = [
      ['came01', 'half01', 'own01'],
      ['half01', 'left01', 'own01'],
    ];
    expect(await names('/api/v3/assets')).toEqual(now);
    expect(await names(`/api/v3/assets?asOf=${at}`)).toEqual(then);
    expect(await names('/api/v3/scores/assets')).toEqual(now);
    expect(await names(`/api/v3/scores/assets?asOf=${at}`)).toEqual(then);
    const findings = ['half', 'moving', 'own detection', 'own weakness'];
    expect(await names('/api/v3/findings')).toEqual(findings);
    expect(await names(`/api/v3/findings?asOf=${at}`)).toEqual(
      ['leaving', ...findings].filter((name) => name !== 'moving').sort(),
    );
    expect(await read('/api/v3/assets/counts')).toMatchObject({
      total: 3,
      department: { Sales: 3 },
      location: { Berlin: 2, Kiel: 1 },
    });
    expect(await read('/api/v3/assets/coverage')).toMatchObject({ assets: 3 });
    expect(await read('/api/v3/assets/counts', 'byBoth')).toMatchObject({ total: 2 });
    expect(await read('/api/v3/findings/counts')).toMatchObject({ total: 4 });
    expect(await read(`/api/v3/findings/counts?asOf=${at}`, 'byBoth')).toMatchObject({ total: 3 });
    for (const query of ['', `&asOf=${at}`]) {
      const groups = await read(`/api/v3/findings/groups?by=technique${query}`);
      expect(groups).toMatchObject({
        groups: [{ key: 'ID OF OWN DETECTION', name: null, findings: 1, state: { Failed: 1 } }],
        totalGroups: 1,
        withoutGroup: 3,
      });
      const byAsset = await read(`/api/v3/findings/groups?by=asset${query}`);
      expect(byAsset.groups.map(({ name }: { name: string }) => name).sort()).toEqual(
        query === '' ? now : then,
      );
    }
    for (const query of ['', `?asOf=${at}`]) {
      expect((await read(`/api/v3/attack-matrix${query}`)).others).toMatchObject([
        { id: 'ID OF OWN DETECTION', findings: { failed: 1 }, detections: 1 },
      ]);
    }
    expect(await names('/api/v3/scores/departments')).toEqual(['Sales']);
    expect((await read('/api/v3/scores/departments')).items[0].score).toBeGreaterThan(0);
    const own = await read(`/api/v3/findings/${finding.came}/history`);
    expect(own.items).toHaveLength(1);
    expect(own.items[0]).toMatchObject({ change: 'updated', to: 'Failed' });
  });

  it.each(LIMITED)('gets the 404 of what does not exist for what is hidden: %s', async (by) => {
    const from = encodeURIComponent(before);
    const inside = (id: string, past: string) => [
      ...['', '/findings', '/score', '/score/history'].map((rest) => `/api/v3/assets/${id}${rest}${past}`),
    ];
    const paths = [
      ...[asset.hidden, asset.left].flatMap((id) => inside(id, '')),
      ...[asset.hidden, asset.came].flatMap((id) => inside(id, `?asOf=${from}`)),
      // Visible only for a part of the time.
      ...[asset.hidden, asset.left, asset.came].map(
        (id) => `/api/v3/assets/${id}/score/explain?from=${from}`,
      ),
      `/api/v3/assets/${asset.left}/score/explain?from=${new Date(MONDAY + 30_000).toISOString()}&to=${from}`,
      ...[finding.hidden, finding.left].flatMap((id) =>
        ['', '/history', '/instances'].map((rest) => `/api/v3/findings/${id}${rest}`),
      ),
      ...[finding.hidden, finding.came].flatMap((id) =>
        ['', '/history', '/instances'].map((rest) => `/api/v3/findings/${id}${rest}?asOf=${from}`),
      ),
    ];
    for (const path of paths) {
      const [, id] = /\/(?:assets|findings)\/([^/?]+)/.exec(path)!;
      const answer = await callers[by]('GET', path);
      const nobody = await callers[by]('GET', path.replace(id!, NOBODY));
      expect([path, answer.status, sentenceOf(answer.text).replaceAll(id!, NOBODY)]).toEqual([
        path,
        404,
        sentenceOf(nobody.text),
      ]);
    }
  });

  it.each(LIMITED)('gets it also before the kept history: %s', async (by) => {
    const { pool } = site.gateway.database;
    await pool.query(
      `insert into history_trims (partition, finding_type, kept_from, through_sequence, removed)
       values (0, 'va', $1, 1, 1)`,
      [new Date(site.now)],
    );
    try {
      const [since] = await site.client.all('/api/v3/findings?name=hidden%20since');
      const statuses = async (id: string) =>
        Promise.all(
          ['', '/history', '/instances', '/comments'].map(async (rest) => {
            const path = `/api/v3/findings/${id}${rest}?asOf=${encodeURIComponent(before)}`;
            return (await callers[by]('GET', path)).status;
          }),
        );
      for (const id of [NOBODY, finding.hidden, finding.came, since.id]) {
        expect([id, await statuses(id)]).toEqual([id, [404, 404, 404, 404]]);
      }
      for (const id of [finding.own, finding.left]) {
        expect([id, await statuses(id)]).toEqual([id, [410, 410, 410, 410]]);
      }
    } finally {
      await pool.query('delete from history_trims');
    }
  });

  it('tries and ranks fixes on its own findings only', async () => {
    const whatIf = (body: object, by: Limited = 'byDepartment') =>
      callers[by]('POST', '/api/v3/scores/what-if', body);
    for (const id of [finding.hidden, finding.left]) {
      const hidden = await whatIf({ fixed: [finding.own, id] });
      const nobody = await whatIf({ fixed: [finding.own, NOBODY] });
      expect([hidden.status, sentenceOf(hidden.text).replaceAll(id, NOBODY)]).toEqual([
        404,
        sentenceOf(nobody.text),
      ]);
      expect((await whatIf({ accepted: [id] })).status).toBe(404);
    }
    // All assets have the CVE, also hidden ones.
    const tried = JSON.parse((await whatIf({ fixedCves: ['CVE-2021-44228'] })).text);
    expect(tried.assets.map(({ name }: { name: string }) => name).sort()).toEqual([
      'came01',
      'half01',
      'own01',
    ]);
    expect(tried.organization.score).toBeGreaterThan(tried.organization.scoreAfter);
    const fixes = JSON.parse((await callers.byDepartment('GET', '/api/v3/scores/fixes')).text);
    expect(fixes.score).toBe(tried.organization.score);
    expect(fixes.cves).toEqual([expect.objectContaining({ id: 'CVE-2021-44228', assets: 3 })]);
    expect(fixes.findings.map(({ name }: { name: string }) => name)).toContain('own weakness');
    const others = JSON.parse(
      (await callers.byDepartment('GET', '/api/v3/scores/fixes?department=Finance')).text,
    );
    expect(others).toMatchObject({ score: null, findings: [], cves: [] });
    for (const id of [asset.hidden, asset.left]) {
      expect((await callers.byDepartment('GET', `/api/v3/scores/fixes?assetId=${id}`)).status).toBe(404);
    }
    const [all] = await site.client
      .all('/api/v3/scores/departments')
      .then((items) => items.filter(({ name }) => name === 'Sales'));
    expect(fixes.score).toBe(all.score);
  });

  it('sees the loss of its own assets only', async () => {
    const lossOf = async (query: string) =>
      JSON.parse((await callers.byDepartment('GET', `/api/v3/loss${query}`)).text);
    const own = await lossOf('');
    expect(own).toMatchObject({ reason: null, loss: { assets: 3 } });
    expect(own.loss.annualLossExpectancy.best).toBeGreaterThan(0);
    expect((await lossOf('?department=Finance')).loss).toMatchObject({ assets: 0 });
    const fixes = JSON.parse((await callers.byDepartment('GET', '/api/v3/loss/fixes')).text);
    expect(fixes.fixes[0].avoidedLoss).toBeGreaterThan(0);
  });

  it('triages only its own findings, and reads only their comments', async () => {
    const bodies: Record<string, object> = {
      assign: { assignee: { type: 'team', name: 'blue' } },
      tags: { add: ['urgent'] },
      due: { due: '2026-06-30' },
      tickets: { attach: [{ url: 'https://tickets.example/1', label: 'RISK-1' }] },
      comments: { text: 'look' },
    };
    for (const [what, body] of Object.entries(bodies)) {
      for (const id of [NOBODY, finding.hidden, finding.left]) {
        const { status } = await callers.byDepartment('POST', `/api/v3/findings/${id}/${what}`, body);
        expect([what, id, status]).toEqual([what, id, 404]);
      }
    }
    const { status } = await callers.byDepartment('GET', `/api/v3/findings/${finding.hidden}/comments`);
    expect(status).toBe(404);
    const own = await callers.byDepartment('POST', `/api/v3/findings/${finding.own}/tags`, bodies.tags!);
    expect(own.status).toBe(200);
    const { text } = await callers.byDepartment('POST', '/api/v3/findings/acts', {
      ids: [finding.hidden, finding.left, finding.own],
      tags: { add: ['bulk'] },
    });
    const unknown = { name: null, assetName: null, reason: 'unknown' };
    expect(JSON.parse(text)).toMatchObject({
      done: 1,
      refused: [
        { id: finding.hidden, ...unknown },
        { id: finding.left, ...unknown },
      ],
    });
  });

  it('accepts and reverts only its own findings', async () => {
    const act = (id: string, what: 'accept' | 'revert') =>
      callers.byDepartment('POST', `/api/v3/findings/${id}/${what}`, {
        rationale: 'known',
        ...(what === 'revert' && { to: 'Failed' }),
      });
    for (const what of ['accept', 'revert'] as const) {
      const nobody = await act(NOBODY, what);
      expect(nobody.status).toBe(404);
      for (const id of [finding.hidden, finding.left]) {
        const { status, text } = await act(id, what);
        expect([status, sentenceOf(text).replaceAll(id, NOBODY)]).toEqual([404, sentenceOf(nobody.text)]);
      }
    }
    const dryRun = (what: 'accept' | 'revert', filter: object) =>
      callers.byDepartment('POST', `/api/v3/findings/${what}`, {
        filter,
        dryRun: true,
        rationale: 'all',
        ...(what === 'revert' && { to: 'Failed' }),
      });
    const all = JSON.parse((await dryRun('accept', { type: ['va', 'edr'] })).text);
    expect(all).toMatchObject({ matching: 4 });
    expect(JSON.stringify(all)).not.toMatch(MARKER.byDepartment);
    expect(JSON.parse((await dryRun('accept', { assetId: asset.hidden })).text)).toMatchObject({
      matching: 0,
    });
    expect((await act(finding.own, 'accept')).status).toBe(200);
    expect(JSON.parse((await dryRun('revert', { type: 'va' })).text)).toMatchObject({ matching: 1 });
    expect((await act(finding.own, 'revert')).status).toBe(200);
  });

  it('sees scores only of groups that it sees whole', async () => {
    const statusOf = async (by: Limited, path: string) => (await callers[by]('GET', path)).status;
    const history = (query: string) => `/api/v3/scores/organization/history${query}`;
    expect(await statusOf('byDepartment', '/api/v3/scores/locations')).toBe(403);
    expect(await statusOf('byLocation', '/api/v3/scores/departments')).toBe(403);
    for (const path of [
      '/api/v3/scores/departments',
      '/api/v3/scores/locations',
      history('?department=Sales'),
    ]) {
      expect([path, await statusOf('byBoth', path)]).toEqual([path, 403]);
    }
    for (const query of ['', '?department=Finance', '?department=None', '?location=Berlin', '?type=Other']) {
      expect([query, await statusOf('byDepartment', history(query))]).toEqual([query, 403]);
    }
  });

  it('cannot sort the past, whose bound counts all rows', async () => {
    for (const path of ['assets?sort=name', 'findings?sort=name']) {
      const { status } = await callers.byDepartment(
        'GET',
        `/api/v3/${path}&asOf=${encodeURIComponent(before)}`,
      );
      expect(status).toBe(403);
      // Also after a page that is not sorted: its cursor belongs to another list.
      const [list] = path.split('?');
      const unsorted = `/api/v3/${list}?limit=1&asOf=${encodeURIComponent(before)}`;
      const { nextCursor } = JSON.parse((await callers.byDepartment('GET', unsorted)).text);
      const next = await callers.byDepartment('GET', `${unsorted}&sort=name&cursor=${nextCursor}`);
      expect([typeof nextCursor, next.status]).toEqual(['string', 403]);
    }
  });

  it('grants only what it may see, and manages no credential that shows more', async () => {
    const add = (path: string, given: object) => callers.byBoth('POST', `/api/v3/${path}`, given);
    const own = { departments: ['Sales'], locations: ['Berlin'] };
    const token = (name: string, limits?: object) =>
      add('tokens', { name, scopes: ['assets:read'], ...limits });
    expect(JSON.parse((await token('inherits')).text)).toMatchObject(own);
    const credential = await add('credentials', { username: 'inherits', role: 'viewer' });
    expect(JSON.parse(credential.text)).toMatchObject(own);
    expect(JSON.parse((await token('inherits-one', { locations: ['Berlin'] })).text)).toMatchObject(own);
    for (const limits of [
      { departments: ['Finance'] },
      { departments: ['Sales', 'Finance'], locations: ['Berlin'] },
    ]) {
      const { status, text } = await token('escalation', limits);
      expect([status, sentenceOf(text)]).toEqual([
        403,
        'you may grant only access that you have yourself: yours is limited to the departments Sales and the locations Berlin',
      ]);
      expect((await add('credentials', { username: 'escalation', role: 'viewer', ...limits })).status).toBe(
        403,
      );
    }
    for (const path of ['tokens', 'credentials']) {
      const others = (await site.client.all(`/api/v3/${path}`)).filter(
        ({ departments, locations }) => (departments ?? locations) === null || departments?.[0] === 'Finance',
      );
      expect(others.length).toBeGreaterThan(0);
      for (const { id } of others) {
        expect((await callers.byBoth('POST', `/api/v3/${path}/${id}/rotate`, {})).status).toBe(404);
        expect((await callers.byBoth('DELETE', `/api/v3/${path}/${id}`)).status).toBe(404);
      }
    }
  });

  it('signs in with a password too, and is no last admin', async () => {
    const given = { username: 'limited-admin', role: 'admin', ...LIMITS.byDepartment };
    const { body } = await site.post('/api/v3/credentials', given);
    expect(body).toMatchObject({ departments: ['Sales'], locations: null });
    const authorization = `Basic ${Buffer.from(`limited-admin:${body.password}`).toString('base64')}`;
    const answer = await fetch(`${site.gateway.url}/api/v3/auth`, {
      method: 'POST',
      headers: { authorization },
    });
    const { accessToken } = (await answer.json()) as { accessToken: string };
    const limited = callerOf(site.gateway.url, accessToken);
    expect(JSON.parse((await limited('GET', '/api/v3/assets/counts')).text)).toMatchObject({ total: 3 });
    expect((await limited('GET', '/api/v3/scores/organization')).status).toBe(403);
    const admins = (await site.client.all('/api/v3/credentials')).filter(({ role }) => role === 'admin');
    const [all] = admins.filter(({ departments, locations }) => (departments ?? locations) === null);
    expect((await site.client.request('DELETE', `/api/v3/credentials/${all.id}`)).status).toBe(409);
  });

  it.each([
    ['no names', { departments: [] }, /departments/],
    ['a name that is no text', { locations: [7] }, /locations/],
    ['null', { locations: null }, /locations/],
    ['an unknown list', { teams: ['red'] }, /teams/],
    ['too many', { departments: Array.from({ length: 51 }, (_, i) => `d${i}`) }, /departments/],
  ])('is not made of %s', async (_, limits, message) => {
    for (const [path, given] of [
      ['tokens', { name: 'bad', scopes: ['assets:read'] }],
      ['credentials', { username: 'bad', role: 'viewer' }],
    ] as const) {
      const { status, body } = await site.post(`/api/v3/${path}`, { ...given, ...limits });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  /** Nothing that is derived from hidden assets is in any response: counts, cursors, sums and orders included. */
  it('gets the same responses whatever hidden assets there are', async () => {
    const since = site.now;
    const responses = async () => {
      const found: Record<string, string> = {};
      for (const by of LIMITED) {
        // One after the other: a caller has one export at a time.
        for (const path of [...readings(), ...groupReadings(by)]) {
          const { status, text } = await callers[by]('GET', path);
          found[`${by} ${path}`] = `${status} ${withoutPresent(text, since)}`;
        }
        const tried = await callers[by]('POST', '/api/v3/scores/what-if', { fixedCves: ['CVE-2021-44228'] });
        found[`${by} what-if`] = `${tried.status} ${withoutPresent(tried.text, since)}`;
      }
      return found;
    };
    await until('the origins of the acts', async () => {
      const { text } = await callers.byDepartment('GET', '/api/v3/audit');
      return !text.includes('"origins":[]');
    });
    const earlier = await responses();
    await site.addSignals(
      ...Array.from({ length: 5 }, (_, i) => ({
        name: `hidden more ${i}`,
        host: `hidden-more${i % 3}`,
        cve: `CVE-2031-1000${i}`,
        attributes: FINANCE,
      })),
      { name: 'hidden again', host: 'left01', cve: 'CVE-2031-44444', attributes: FINANCE },
    );
    await addEdr(edr('hidden detection 2', 'hidden02', FINANCE));
    expect(Object.values(earlier).filter((response) => !response.startsWith('200'))).toEqual([]);
    expect(await responses()).toEqual(earlier);
  });
});

const sentenceOf = (text: string): string => JSON.parse(text).message;

/** Times since an instant are those of the request. The last use of a token is written every ten seconds. */
const withoutPresent = (text: string, since: number): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) >= since ? 'now' : time))
    .replaceAll('"lastUsedAt":null', '"lastUsedAt":"now"');
