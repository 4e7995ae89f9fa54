import type { ApiClient } from './api-client.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: { enum?: unknown[]; items?: { enum?: unknown[] } };
}

interface Operation {
  parameters?: Parameter[];
}

/** Values of parameters and of ids in paths, from the data of a site. */
type Samples = Record<string, (string | number)[]>;

/** Their answers are about the process, its sessions or the time, or never end. */
const OF_THE_PROCESS =
  /^\/(health|metrics|subjects|schemas)|\/(session|sessions|me|second-factor|security-events|changes|storage|egress|credentials|tokens|notifications)\b|\/audit$|logout$/;

/** Of each `{id}`, by the path before it: the list that has it. */
const LISTS: [RegExp, string][] = [
  [/^\/api\/v3\/assets\//, 'assetId'],
  [/^\/api\/v3\/findings\//, 'findingId'],
  [/^\/api\/v3\/uploads\//, 'upload'],
  [/^\/api\/v3\/plans\//, 'plan'],
];

const PERIOD = ['from', 'to'];

/** Filters of the query language: each is a way into the same statements, and together they combine them. */
const QUERY_TEXTS = [
  'state:Failed severity:critical,high',
  'type:va kev:true',
  'severity:>=7 sla:overdue',
  'firstSeen:>=2020-01-01 assigned:false',
];

/**
 * Addresses of reads that use each parameter of each GET route, with values that the site has, at present and as of
 * instants, and its sorts with filters. Each answer only depends on the data.
 * @param instants times that `asOf` and the periods take, oldest first
 */
export async function everyRead(client: ApiClient, instants: readonly string[]): Promise<string[]> {
  const { paths } = await client.get<{ paths: Record<string, { get?: Operation }> }>('/docs-json');
  const samples = await samplesOf(client, instants);
  const reads = new Set<string>();
  for (const [route, { get }] of Object.entries(paths)) {
    if (!get || OF_THE_PROCESS.test(route)) continue;
    for (const path of pathsOf(route, samples)) {
      for (const query of queriesOf(route, get.parameters ?? [], samples)) reads.add(`${path}${query}`);
    }
  }
  return [...reads];
}

/**
 * An answer in a form that is equal for equal data: the members of objects have no order, and many answers contain the
 * time of the request, or one that is whole days before.
 * @param since epoch ms of the first request
 */
export function comparable(body: string, since: number): string {
  const span = Date.now() - since;
  const isOfRequest = (time: string) => {
    const ofDay = (Date.parse(time.replaceAll('%3A', ':')) - since) % DAY_MS;
    return (ofDay < 0 ? ofDay + DAY_MS : ofDay) <= span;
  };
  const timeless = body.replaceAll(TIME, (time) => (isOfRequest(time) ? 'of the request' : time));
  try {
    return JSON.stringify(JSON.parse(timeless), (_, value) => (isObject(value) ? sorted(value) : value));
  } catch {
    return timeless;
  }
}

const DAY_MS = 86_400_000;

/** In ISO 8601, also within an address. */
const TIME = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d{3}Z/g;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

function pathsOf(route: string, samples: Samples): string[] {
  if (!route.includes('{')) return [route];
  const list = LISTS.find(([of]) => of.test(route))?.[1];
  return (samples[list ?? ''] ?? []).map((id) => route.replace('{id}', `${id}`));
}

function queriesOf(route: string, parameters: Parameter[], samples: Samples): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const values = new Map(inQuery.map((one) => [one.name, valuesOf(route, one, samples)]));
  // A period that ends by default now has other points at each read.
  const isOfPeriod = PERIOD.every((name) => values.has(name));
  const required = Object.fromEntries(
    inQuery
      .filter(({ name, required: isRequired }) => isRequired || (isOfPeriod && PERIOD.includes(name)))
      .map(({ name }) => [name, values.get(name)![0]!]),
  );
  const alone: Record<string, string | number>[] = [{}];
  for (const [name, some] of values) {
    if (name !== 'cursor' && name !== 'asOf') alone.push(...some.map((value) => ({ [name]: value })));
  }
  const filters: Record<string, string | number>[] = [
    { state: 'Failed' },
    { type: 'va' },
    { q: samples.q![0]! },
  ];
  const inOrder = (values.get('sort') ?? []).flatMap((sort) =>
    filters
      .filter((filter) => Object.keys(filter).every((key) => values.has(key)))
      .map((filter) => ({ ...filter, sort, limit: 7 })),
  );
  const past = (values.get('asOf') ?? []).map((asOf) => ({ asOf }));
  // One instant each, in turn: an instant is as good as another.
  return [...alone, ...inOrder].flatMap((query, i) =>
    [{}, ...(i === 0 ? past : past.slice(i % past.length).slice(0, 1))].map(
      (at) => `?${new URLSearchParams(texts({ ...required, ...query, ...at }))}`,
    ),
  );
}

const texts = (query: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

function valuesOf(route: string, { name, schema }: Parameter, samples: Samples): (string | number)[] {
  const listed = (schema?.enum ?? schema?.items?.enum) as string[] | undefined;
  if (listed) return listed;
  const isOfAssets = /^\/(api\/v3\/(assets|scores|loss)|integrations\/\{id\}\/assets)/.test(route);
  if (name === 'type' && isOfAssets && !route.endsWith('/findings')) return samples.assetType!;
  if (name === 'name' && route.startsWith('/api/v3/scores/')) return samples.department!;
  return samples[name] ?? [];
}

async function samplesOf(client: ApiClient, instants: readonly string[]): Promise<Samples> {
  const items = async (path: string): Promise<any[]> => (await client.get(path)).items;
  const assets = await items('/api/v3/assets?sort=-score&limit=100');
  const failed = await items('/api/v3/findings?state=Failed&sort=-severity&limit=200');
  const settled = await items('/api/v3/findings?state=Qualified&limit=50');
  const assigned = await items('/api/v3/findings?assigned=true&limit=50');
  const uploads = await items('/api/v3/uploads?limit=50');
  const plans = await items('/api/v3/plans');
  const findings = [...failed, ...settled, ...assigned];
  const some = (values: unknown[], count = 2) =>
    [...new Set(values.filter((value) => value !== null && value !== undefined))].slice(0, count) as string[];
  const assetsHave = (key: string) => some(assets.map((asset) => asset[key]));
  const [first, last] = [instants[0]!, instants.at(-1)!];
  return {
    limit: [3],
    days: [7, 30],
    notSeenDays: [1, 30],
    asOf: [...instants],
    from: [first],
    to: [last],
    step: ['day', 'P7D'],
    assetId: assetsHave('id'),
    findingId: [
      ...some(
        failed.map(({ id }) => id),
        1,
      ),
      ...some(
        settled.map(({ id }) => id),
        1,
      ),
    ],
    upload: some(uploads.map(({ uploadId }) => uploadId).reverse(), 3),
    plan: some(plans.map(({ id }) => id)),
    name: some(failed.map(({ name }) => name.slice(0, 8))),
    title: some(failed.map(({ name }) => name)),
    q: [...some(failed.map(({ name }) => name.split(/\W+/)[0])), ...QUERY_TEXTS],
    assetType: assetsHave('type'),
    type: ['va', 'ca'],
    attackSurface: assetsHave('attackSurface'),
    department: assetsHave('department'),
    location: assetsHave('location'),
    source: some(findings.map(({ source }) => source.name)),
    severityMin: [4, 9],
    epssMin: [0.01, 0.9],
    cve: some(JSON.stringify(failed).match(/CVE-\d{4}-\d{4,}/g) ?? []),
    technique: some(JSON.stringify(findings).match(/T\d{4}(\.\d{3})?(?=")/g) ?? []),
    assignee: some(findings.map(({ triage }) => triage?.assignee?.user ?? triage?.assignee?.team)),
    tag: some(findings.flatMap(({ triage }) => triage?.tags ?? [])),
    dueBefore: [last],
    firstSeenAfter: [first],
    firstSeenBefore: [last],
    settledAfter: [first],
    reopenedAfter: [first],
    failedAfter: [first],
    acceptedUntilBefore: [last],
  };
}
