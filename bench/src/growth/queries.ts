import { assetId, entityKey } from '#libs/domain';
import { knownVulnerabilities } from '../data/scans/machines.ts';
import type { HttpClient } from '../run/http-client.ts';

/** A common query of users and programs. Each repetition has another path. */
export interface Query {
  name: string;
  path: (repetition: number) => string;
}

export interface QueryTimes {
  name: string;
  /** Time of each repetition until the whole answer was read. */
  ms: number[];
}

const PAGE = 'limit=50';

/** @param names of existing machines */
export function queries(names: readonly string[]): Query[] {
  const known = knownVulnerabilities();
  const found = (i: number) => known[(i * 97) % known.length]!;
  const asset = (i: number) => assetId(entityKey('machine', names[(i * 7) % names.length]!));
  const severity = (i: number) => (9 + (i % 8) / 10).toFixed(1);
  const words = (i: number) => encodeURIComponent(`${found(i).product} ${found(i).cve}`);
  return [
    { name: 'findings: first page', path: () => `findings?${PAGE}` },
    {
      name: 'findings: failed, severe',
      path: (i) => `findings?state=Failed&severityMin=${severity(i)}&${PAGE}`,
    },
    { name: 'findings: of a CVE', path: (i) => `findings?cve=${found(i).cve}&${PAGE}` },
    { name: 'findings: severest first', path: () => `findings?sort=-severity&${PAGE}` },
    { name: 'findings: search, rare', path: (i) => `findings?q=${words(i)}&${PAGE}` },
    { name: 'findings: search, common', path: () => `findings?q=heap%20overflow&${PAGE}` },
    { name: 'findings: counts', path: () => 'findings/counts' },
    { name: 'findings: counts, severe', path: (i) => `findings/counts?severityMin=${severity(i)}` },
    { name: 'assets: first page', path: () => `assets?${PAGE}` },
    { name: 'assets: counts', path: () => 'assets/counts' },
    { name: 'asset', path: (i) => `assets/${asset(i)}` },
    { name: 'asset: its findings', path: (i) => `assets/${asset(i)}/findings?${PAGE}` },
    { name: 'asset: score, each finding', path: (i) => `assets/${asset(i)}/score` },
    { name: 'scores: organization', path: () => 'scores/organization' },
    { name: 'scores: departments', path: () => `scores/departments?${PAGE}` },
    { name: 'scores: asset types', path: () => `scores/asset-types?${PAGE}` },
    { name: 'scores: riskiest assets', path: () => `scores/assets?${PAGE}` },
  ];
}

/** Runs queries one after another. Does not count the first repetition of each, which reads from disk. */
export async function timeQueries(
  client: HttpClient,
  asked: readonly Query[],
  repetitions: number,
): Promise<QueryTimes[]> {
  const times: QueryTimes[] = [];
  for (const { name, path } of asked) {
    const ms: number[] = [];
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      const began = performance.now();
      await client.get(`/api/v3/${path(repetition)}`);
      if (repetition > 0) ms.push(performance.now() - began);
    }
    times.push({ name, ms });
  }
  return times;
}
