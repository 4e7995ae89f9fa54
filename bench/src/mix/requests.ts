import { isoTime } from '#libs/domain';
/** Requests that a reader sends in parallel; it waits for all of them. */
export interface Reading {
  kind: string;
  paths: string[];
}

/** Ids of existing assets and findings, for requests. */
export interface Known {
  assetIds: string[];
  findingIds: string[];
}

/** The n-th round of requests of programs: pages, single items, counts, a search, a score. */
export function queries({ assetIds, findingIds }: Known, n: number): Reading[] {
  const assetId = assetIds[n % assetIds.length]!;
  const findingId = findingIds[n % findingIds.length]!;
  return [
    query('findings, a page', '/findings?limit=100'),
    query('findings, filtered', '/findings?state=Failed&severityMin=9&limit=100'),
    query('findings of an asset', `/findings?assetId=${assetId}&limit=100`),
    query('findings, a search', `/findings?q=${SEARCHES[n % SEARCHES.length]}&limit=50`),
    query('finding', `/findings/${findingId}`),
    query('history of a finding', `/findings/${findingId}/history`),
    query('asset', `/assets/${assetId}`),
    query('assets, a page', '/assets?limit=100'),
    query('counts of findings', '/findings/counts'),
    query('score of the organization', '/scores/organization'),
  ];
}

/** The n-th round of requests that pages of the console send when they open, each page as one reading. */
export function consolePages({ assetIds }: Known, n: number, now: number): Reading[] {
  const asset = `/assets/${assetIds[(n * STRIDE) % assetIds.length]}`;
  const from = isoTime(now - DAY_MS);
  return [
    page(
      'overview',
      '/scores/organization',
      `/scores/organization/history?from=${from}&step=hour`,
      `/scores/organization/explain?from=${from}&limit=10`,
      '/scores/fixes',
      '/scores/departments?limit=12',
      '/findings/counts?state=Failed',
    ),
    page('findings', '/findings?sort=-severity&limit=50', '/findings/counts'),
    page('assets', '/assets?sort=-score&limit=50', '/assets/counts'),
    page(
      'asset',
      asset,
      `${asset}/score`,
      `${asset}/score/history?limit=500`,
      `${asset}/findings?limit=50`,
      `/findings/counts?assetId=${assetIds[(n * STRIDE) % assetIds.length]}`,
    ),
  ];
}

const SEARCHES = ['overflow', 'bypass', 'openssl', 'halden'];
/** Gives the pages another order of assets than the queries. */
const STRIDE = 7;
const DAY_MS = 86_400_000;

const query = (kind: string, path: string): Reading => ({
  kind: `query: ${kind}`,
  paths: [`/api/v3${path}`],
});

const page = (kind: string, ...paths: string[]): Reading => ({
  kind: `console: ${kind}`,
  paths: paths.map((path) => `/api/v3${path}`),
});
