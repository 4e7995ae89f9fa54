import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { createRandom } from '#libs/sample-data';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { rescan, slices } from '../data/scans/rescans.ts';
import { signalsIn, writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import type { FinishedCommand } from '../run/command.ts';
import type { HttpClient, UploadOutcome } from '../run/http-client.ts';
import { watchProcesses } from '../run/process-use.ts';
import { onEmptyDatabase, RunningService } from '../run/running-service.ts';
import { serviceEnv } from '../run/service.ts';
import { mixReport } from './mix-report.ts';
import { consolePages, type Known, queries } from './requests.ts';
import { Tally } from './tally.ts';
import { followChanges, readAlong } from './traffic.ts';
import { uploadDay } from './upload-day.ts';

const UPLOADS = 300;
const FIRST_UPLOADS_AT_ONCE = 2;
const QUERY_PAUSE_MS = 100;
const PAGE_PAUSE_MS = 1_000;
const KNOWN_MAX = 500;
/** Age of the previous scans of the estate when the scans of the day start. */
const LAST_SCAN_AGO_MS = 4 * 3_600_000;

/** A day in 90 seconds: scans of a known estate, while users and programs query and the log is replayed. */
export const mix: Benchmark = {
  name: 'mix',
  summary: 'a day of 300 uploads, 90 % unchanged, with concurrent queries, console sessions and replays',
  defaults: { findings: 100_000, rounds: 1 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, (site) =>
      onEmptyDatabase(site, 'mix', async (database) => {
        const service = await RunningService.start(site, database, options.log);
        const env = serviceEnv(site, database.url, options.log);
        const report = await measure(site, service, env, { options, progress });
        await service.stop();
        return report;
      }),
    ),
};

interface Estate {
  first: ZipFile[];
  day: ZipFile[];
  findings: number;
  assets: number;
  /** Signals of the day, and findings that it changes. */
  signals: number;
  changed: number;
}

async function measure(
  site: BenchSite,
  service: RunningService,
  env: Record<string, string>,
  { options, progress }: { options: BenchOptions; progress: Progress },
): Promise<BenchReport> {
  progress.say(`packing ${options.findings} findings, and ${UPLOADS} uploads of them`);
  const estate = await packEstate(site, options.findings);
  progress.say(`the estate: ${estate.findings} findings of ${estate.assets} assets`);
  await settle(service, estate.first);
  const known = await knownTo(service.client);

  progress.say(`the day: ${estate.day.length} uploads`);
  const watch = await watchProcesses([
    ...service.watched,
    ...site.engines,
    { name: 'client', pid: process.pid },
  ]);
  const tally = new Tally();
  const began = performance.now();
  const replay = () => runPosture(site, 'replay', env);
  const { outcomes, seconds, replays, changes } = await liveThrough(service, estate, {
    replay,
    known,
    tally,
  });
  const daySeconds = (performance.now() - began) / 1000;
  const processes = await watch();

  progress.say('waiting until all is scored and published');
  await service.untilScored();
  await service.untilPublished();
  progress.say('posture verify');
  const verified = await runPosture(site, 'verify', env);
  assertFolded(outcomes, estate);
  return mixReport({
    log: options.log,
    findings: estate.findings,
    assets: estate.assets,
    uploads: outcomes.length,
    signals: estate.signals,
    changed: estate.changed,
    seconds,
    daySeconds,
    tally,
    changes,
    replays,
    verified,
    processes,
    machine: await describeMachine(site.server.pool),
  });
}

async function packEstate(site: BenchSite, findings: number): Promise<Estate> {
  const now = Date.now();
  const estate = () => scannedMachines(findings, now - LAST_SCAN_AGO_MS);
  const first = await writeZipFiles(estate(), join(site.folder, 'estate'));
  const assets = first.reduce((sum, { machines }) => sum + machines, 0);
  const random = createRandom('mix');
  const packed: Estate = {
    first,
    day: [],
    findings: signalsIn(first),
    assets,
    signals: 0,
    changed: 0,
  };
  let number = 0;
  for (const slice of slices([...estate()], UPLOADS)) {
    const { machines, signals, changed } = rescan(slice, random, now);
    packed.day.push(...(await writeZipFiles(machines, join(site.folder, 'day', `${++number}`))));
    packed.signals += signals;
    packed.changed += changed;
  }
  return packed;
}

/** Uploads the estate, and waits until it is processed. */
async function settle(service: RunningService, zips: ZipFile[]): Promise<void> {
  const { client } = service;
  const limit = pLimit(FIRST_UPLOADS_AT_ONCE);
  const ids = await Promise.all(
    zips.map(({ path }) => limit(async () => client.uploadZip(await readFile(path)))),
  );
  for (const id of ids) await client.untilFolded(id);
  await service.untilScored();
  await service.untilPublished();
  await service.pool.query('vacuum analyze');
}

async function knownTo(client: HttpClient): Promise<Known> {
  const idsOf = async (path: string) =>
    (await client.get<{ items: { id: string }[] }>(`/api/v3/${path}?limit=${KNOWN_MAX}`)).items.map(
      ({ id }) => id,
    );
  return { assetIds: await idsOf('assets'), findingIds: await idsOf('findings') };
}

interface Day {
  outcomes: UploadOutcome[];
  /** Until the last upload was folded. */
  seconds: number;
  replays: FinishedCommand[];
  /** Changes received from the stream. */
  changes: number;
}

const runPosture = (
  site: BenchSite,
  command: string,
  env: Record<string, string>,
): Promise<FinishedCommand> =>
  site.run({ name: `posture ${command}`, script: 'programs/posture.js', args: [command], env });

/** Runs uploads, reads and replays in parallel, until the last upload is folded and the last replay has ended. */
async function liveThrough(
  { client }: RunningService,
  { day }: Estate,
  { replay, known, tally }: { replay: () => Promise<FinishedCommand>; known: Known; tally: Tally },
): Promise<Day> {
  const over = new AbortController();
  const reader = { client, tally, over: over.signal };
  const reading = Promise.all([
    readAlong(reader, QUERY_PAUSE_MS, (n) => queries(known, n)),
    readAlong(reader, PAGE_PAUSE_MS, (n) => consolePages(known, n, Date.now())),
  ]);
  const following = followChanges(reader);
  let isFolded = false;
  const replaying = (async () => {
    const replays: FinishedCommand[] = [];
    do replays.push(await replay());
    while (!isFolded);
    return replays;
  })();
  try {
    const began = performance.now();
    const uploading = uploadDay(client, day, tally).finally(() => {
      isFolded = true;
    });
    const timed = uploading.then((outcomes) => ({ outcomes, seconds: (performance.now() - began) / 1000 }));
    const [uploaded, replays] = await Promise.all([timed, replaying]);
    over.abort();
    await reading;
    return { ...uploaded, replays, changes: await following };
  } finally {
    over.abort();
  }
}

/** @throws Error if the fold's outcome of the day's signals differs from the sent ones */
function assertFolded(outcomes: UploadOutcome[], { signals, changed }: Estate): void {
  const sum = (count: (outcome: UploadOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const folded = {
    created: sum(({ created }) => created),
    updated: sum(({ updated }) => updated),
    unchanged: sum(({ unchanged }) => unchanged),
    retired: sum(({ retired }) => retired),
  };
  const sent = { created: 0, updated: changed, unchanged: signals - changed, retired: 0 };
  if (JSON.stringify(folded) !== JSON.stringify(sent)) {
    throw new Error(`of the day was made ${JSON.stringify(folded)}, not ${JSON.stringify(sent)}`);
  }
}
