import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { interleaved } from '../data/interleaved.ts';
import { type ScannedMachine, scannedMachines } from '../data/scans/machines.ts';
import { machinesWith, take } from '../data/take.ts';
import { writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { assertStored } from '../run/assert-stored.ts';
import { type BenchSite, onSite, type SiteDatabase } from '../run/bench-site.ts';
import { watchProcesses } from '../run/process-use.ts';
import { onEmptyDatabase, RunningService } from '../run/running-service.ts';
import { type Delays, delaysOf } from './delays.ts';
import type { Freshness } from './figures.ts';
import { freshnessReport } from './freshness-report.ts';
import { type Answered, JsonClient } from './json-client.ts';
import { closedLoop, openLoop } from './paces.ts';
import { ReachWatch } from './watch-reach.ts';

const JSON_CONNECTIONS = 64;
const ZIPS_AT_ONCE = 4;
const WARM_UP_SECONDS = 3;
const CAPACITY_SECONDS = 8;
const PACED_SECONDS = 20;
/** Above the capacity of two cores. Bounds memory, because the signals of a phase are created before it. */
const JSON_PER_SECOND_MAX = 5_000;
const JSON_REQUESTS_PER_MINUTE = 1_000_000;

/** The delay from a 200 until the findings are visible, at half of the service's capacity. */
export const freshness: Benchmark = {
  name: 'freshness',
  summary:
    'from the 200 until visible and scored, at half of the capacity, JSON signals and ZIPs; findings in ZIPs of a round',
  defaults: { findings: 40_000, rounds: 3 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, (site) =>
      onEmptyDatabase(site, 'freshness', (database) => measure(site, database, options, progress)),
    ),
};

async function measure(
  site: BenchSite,
  database: SiteDatabase,
  options: BenchOptions,
  progress: Progress,
): Promise<BenchReport> {
  const service = await RunningService.start(site, database, options.log);
  await service.client.changeSettings({ jsonRequestsPerMinute: JSON_REQUESTS_PER_MINUTE });
  const run = new FreshnessRun(site, database, service, progress);
  const use = await watchProcesses([
    ...service.watched,
    ...site.engines,
    { name: 'client', pid: process.pid },
  ]);
  const json = await run.json(options.rounds);
  const zip = await run.zips(options.rounds, options.findings);
  const processes = await use();
  await assertStored(database.database.pool, run.findings);
  await service.stop();
  const machine = await describeMachine(site.server.pool);
  const name = options.log === 'kafka' ? 'freshness' : 'freshness --log postgres';
  return freshnessReport(name, { json, zip, processes }, machine);
}

class FreshnessRun {
  /** Findings uploaded so far. */
  findings = 0;
  private readonly machines: Generator<ScannedMachine>;

  constructor(
    private readonly site: BenchSite,
    private readonly database: SiteDatabase,
    private readonly service: RunningService,
    private readonly progress: Progress,
  ) {
    this.machines = scannedMachines(Number.POSITIVE_INFINITY, Date.now());
  }

  /**
   * The capacity is the number of findings accepted, folded and scored per second. With 64 connections the gateway
   * accepts more, so that a queue grows.
   */
  async json(rounds: number): Promise<Freshness> {
    const signals = interleaved(this.machines);
    const client = new JsonClient(this.service.client, JSON_CONNECTIONS);
    const send = (signal: Buffer) => client.send(signal);
    const closed = async (seconds: number) => {
      const stock = take(signals, seconds * JSON_PER_SECOND_MAX);
      const began = performance.now();
      const sent = await closedLoop(stock.values(), { lanes: JSON_CONNECTIONS, seconds }, send);
      const answered = performance.now();
      const scored = await this.allSeen(sent.length);
      return {
        accepted: perSecond(sent.length, answered - began),
        capacity: perSecond(sent.length, scored - began),
      };
    };
    this.progress.say('JSON: warming up, not counted');
    await closed(WARM_UP_SECONDS);
    this.progress.say(`JSON: the capacity, ${JSON_CONNECTIONS} connections for ${CAPACITY_SECONDS} s`);
    const { accepted, capacity } = await closed(CAPACITY_SECONDS);
    this.progress.say(
      `  accepted at ${accepted.toFixed(0)} signals/s, with their scores ${capacity.toFixed(0)}`,
    );
    const half = capacity / 2;
    const paced = take(signals, Math.ceil(half * PACED_SECONDS) * rounds);
    const measured = await this.eachRound(rounds, 'JSON', (round) => {
      const [from, to] = [round - 1, round].map((n) => (n * paced.length) / rounds);
      return this.watched(() => openLoop(paced.slice(from, to), half, send), 1);
    });
    await client.close();
    return { accepted, capacity, rounds: measured };
  }

  /** The capacity is the number of findings uploaded and folded per second, as in the benchmark `ingest`. */
  async zips(rounds: number, findings: number): Promise<Freshness> {
    const pack = (name: string) =>
      writeZipFiles(machinesWith(this.machines, findings), join(this.site.folder, `zips-${name}`));
    this.progress.say(`ZIPs: the capacity, ${ZIPS_AT_ONCE} at a time`);
    const first = await pack('capacity');
    const began = performance.now();
    await closedLoop(first.values(), { lanes: ZIPS_AT_ONCE, seconds: Number.POSITIVE_INFINITY }, (zip) =>
      this.upload(zip),
    );
    const signals = signalsOf(first);
    const accepted = perSecond(signals, performance.now() - began);
    await this.service.untilVisible(this.findings + signals);
    const capacity = perSecond(signals, performance.now() - began);
    await this.allSeen(signals);
    this.progress.say(`  accepted at ${accepted.toFixed(0)} findings/s, folded ${capacity.toFixed(0)}`);
    const measured = await this.eachRound(rounds, 'ZIPs', async (round) => {
      const zips = await pack(`${round}`);
      const zipsPerSecond = (capacity / 2 / signalsOf(zips)) * zips.length;
      return this.watched(
        () => openLoop(zips, zipsPerSecond, (zip) => this.upload(zip)),
        signalsOf(zips) / zips.length,
      );
    });
    return { accepted, capacity, rounds: measured };
  }

  private async eachRound(
    rounds: number,
    what: string,
    run: (round: number) => Promise<Delays>,
  ): Promise<Delays[]> {
    const done: Delays[] = [];
    for (let round = 1; round <= rounds; round++) {
      this.progress.say(`${what} at half of the capacity, round ${round} of ${rounds}`);
      done.push(await run(round));
    }
    return done;
  }

  private async upload({ path }: ZipFile): Promise<Answered> {
    const zip = await readFile(path);
    const sentAt = performance.now();
    const uploadId = await this.service.client.uploadZip(zip);
    return { uploadId, sentAt, answeredAt: performance.now() };
  }

  private async watched(send: () => Promise<Answered[]>, findingsEach: number): Promise<Delays> {
    const watch = new ReachWatch(this.database.url);
    const uploads = await send();
    await this.allSeen(Math.round(uploads.length * findingsEach));
    return delaysOf(this.database.database.pool, uploads, await watch.stop());
  }

  /** Waits for all work that would slow the next phase. Returns when all was scored, in ms of the monotonic clock. */
  private async allSeen(findings: number): Promise<number> {
    this.findings += findings;
    await this.service.untilVisible(this.findings);
    await this.service.untilScored();
    const scored = performance.now();
    await this.service.untilPublished();
    return scored;
  }
}

const signalsOf = (zips: readonly ZipFile[]): number => zips.reduce((sum, zip) => sum + zip.signals, 0);
const perSecond = (count: number, ms: number): number => count / (ms / 1000);
