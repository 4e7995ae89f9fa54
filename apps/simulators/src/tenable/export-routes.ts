import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { Collection, Fields } from '../records/collection.ts';
import { assetTest, vulnerabilityTest } from './export-filters.ts';
import { EXPORT_OUTCOMES, ExportJobs, type ExportOutcome } from './export-jobs.ts';
import { assetV1, assetV2, type ScannedAsset } from './scanned-asset.ts';
import type { TenablePlatform } from './tenable-platform.ts';
import { type Vulnerability, vulnerabilityRecord } from './vulnerability.ts';

interface Records {
  assets: Collection<ScannedAsset>;
  vulnerabilities: Collection<Vulnerability>;
  nowMs: () => number;
}

type Act = Parameters<Route['answer']>[1];

/** Requests, status and chunks of both exports; that of assets in both of its versions. */
export function exportRoutes(platform: TenablePlatform, records: Records): Route[] {
  const { assets, vulnerabilities, nowMs } = records;
  const versions = { v1: new ExportJobs(nowMs), v2: new ExportJobs(nowMs) };
  const vulnerabilityJobs = new ExportJobs(nowMs);
  const requestAssets = (jobs: ExportJobs) => (asked: ReceivedRequest, act: Act) => {
    const { size, filters } = requestOf(asked, 'chunk_size', { min: 100, max: 10_000, isStrict: true });
    const test = assetTest(filters);
    return jobs.start(filters, () => slicesOf(numbersOf(assets, test), size), outcomeOf(act));
  };
  const requestVulnerabilities = (asked: ReceivedRequest, act: Act) => {
    const { size, filters } = requestOf(asked, 'num_assets', { min: 50, max: 5_000, isStrict: false });
    const test = vulnerabilityTest(filters, nowMs());
    const chunks = () => byAsset(vulnerabilities, numbersOf(vulnerabilities, test), size);
    return vulnerabilityJobs.start(filters, chunks, outcomeOf(act));
  };
  return [
    platform.guarded({ method: 'POST', path: '/assets/export', answer: requestAssets(versions.v1) }),
    platform.guarded({ method: 'POST', path: '/assets/v2/export', answer: requestAssets(versions.v2) }),
    ...jobRoutes(platform, '/assets/export', [
      { jobs: versions.v2, recordAt: (number) => formed(assets.at(number), assetV2) },
      { jobs: versions.v1, recordAt: (number) => formed(assets.at(number), assetV1) },
    ]),
    platform.guarded({ method: 'POST', path: '/vulns/export', answer: requestVulnerabilities }),
    ...jobRoutes(platform, '/vulns/export', [
      {
        jobs: vulnerabilityJobs,
        recordAt: (number) =>
          formed(vulnerabilities.at(number), (one) =>
            formed(assets.at(one.asset), (asset) => vulnerabilityRecord(one, asset)),
          ),
      },
    ]),
  ];
}

const formed = <T, R>(record: T | undefined, form: (record: T) => R): R | undefined =>
  record === undefined ? undefined : form(record);

function outcomeOf(act: Act): ExportOutcome {
  const outcome = EXPORT_OUTCOMES.find((kind) => kind === act?.kind);
  return outcome ?? 'whole';
}

interface JobsOfVersion {
  jobs: ExportJobs;
  recordAt: (number: number) => Fields | undefined;
}

/** Status, chunks and end of exports; their ids lead to the version that they were requested in. */
function jobRoutes(platform: TenablePlatform, path: string, versions: readonly JobsOfVersion[]): Route[] {
  const first = (ask: (version: JobsOfVersion) => Answer): Answer => {
    for (const version of versions.slice(0, -1)) {
      try {
        return ask(version);
      } catch (error) {
        if (!(error instanceof Refusal) || error.message !== 'Export not found.') throw error;
      }
    }
    return ask(versions.at(-1)!);
  };
  return [
    platform.guarded({ method: 'GET', path: `${path}/status`, answer: () => versions[0]!.jobs.list() }),
    platform.guarded({
      method: 'GET',
      path: `${path}/:uuid/status`,
      answer: ({ parts }) => first(({ jobs }) => jobs.status(parts.uuid!)),
    }),
    platform.guarded({
      method: 'GET',
      path: `${path}/:uuid/chunks/:id`,
      answer: ({ parts }) => first(({ jobs, recordAt }) => jobs.chunk(parts.uuid!, parts.id!, recordAt)),
    }),
    platform.guarded({
      method: 'POST',
      path: `${path}/:uuid/cancel`,
      answer: ({ parts }) => first(({ jobs }) => jobs.cancel(parts.uuid!)),
    }),
  ];
}

/** @param isStrict a size out of range is a 400; otherwise the nearest bound is used */
function requestOf(
  { body }: ReceivedRequest,
  sizeField: string,
  { min, max, isStrict }: { min: number; max: number; isStrict: boolean },
): { size: number; filters: Fields } {
  const { [sizeField]: given = min, filters = {} } = (body ?? {}) as Fields;
  const size = Number(given);
  if (!Number.isSafeInteger(size) || (isStrict && (size < min || size > max))) {
    throw new Refusal(400, `${sizeField} must be from ${min} to ${max}`);
  }
  if (typeof filters !== 'object' || filters === null) throw new Refusal(400, 'filters must be an object');
  return { size: Math.min(max, Math.max(min, size)), filters: filters as Fields };
}

function numbersOf<T extends Fields>(records: Collection<T>, test: (record: T) => boolean): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < records.end; number++) {
    const record = records.at(number);
    if (record !== undefined && test(record)) numbers.push(number);
  }
  return numbers;
}

function slicesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}

/** Chunks with all vulnerabilities of so many assets. */
function byAsset(vulnerabilities: Collection<Vulnerability>, numbers: number[], size: number): number[][] {
  const groups = new Map<number, number[]>();
  for (const number of numbers) {
    const { asset } = vulnerabilities.at(number)!;
    groups.set(asset, [...(groups.get(asset) ?? []), number]);
  }
  return slicesOf([...groups.values()], size).map((assets) => assets.flat());
}
