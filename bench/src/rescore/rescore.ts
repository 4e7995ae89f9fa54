import { join } from 'node:path';
import { MODEL_OF_NEW_LOGS, type ScoringModel } from '#libs/domain';
import {
  alternate,
  type Benchmark,
  type BenchOptions,
  type BenchResult,
  resultOf,
  type SideRun,
} from '../benchmark.ts';
import { type Spread, scannedMachines } from '../data/scans/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { fillIntake } from '../fold/fill-intake.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite, type SiteDatabase } from '../run/bench-site.ts';
import type { HttpClient } from '../run/http-client.ts';
import { usesSinceStart, watchProcesses } from '../run/process-use.ts';
import { foldedRecords, isPublished, isRescored } from '../run/projection.ts';
import { serviceEnv, signedIn, startApps } from '../run/service.ts';
import { settle } from '../run/settle.ts';
import { until } from '../run/until.ts';
import { writeEpssFile } from './epss-file.ts';

/** posture-2 may cost half more than posture-1. */
const RATIO_MIN = 0.67;
/** Three findings an asset on average. */
const SPREAD: Spread = { findingsMin: 1, findingsMax: 5 };

/** The scorer of a site whose scores are all touched by each EPSS import. */
export const rescore: Benchmark = {
  name: 'rescore',
  summary: 'scores of all assets after a complete EPSS import: model posture-2, compared with posture-1',
  defaults: { findings: 100_000, rounds: 3 },
  logs: ['kafka'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  const made = await site.newDatabase('rescored');
  const env = serviceEnv(site, made.url, 'kafka');
  progress.say(`appending the events of ${options.findings} findings`);
  const machines = scannedMachines(options.findings, Date.now(), undefined, SPREAD);
  const zips = await writeZipFiles(machines, join(site.folder, 'zips'));
  const { records } = await fillIntake(site, zips, made.url, 'kafka');
  const programs = await startApps(site, ['gateway', 'projector'], env);
  const { pool } = made.database;
  await until('the log to be folded', async () => (await foldedRecords(pool)) >= records, programs);
  await until('the changes to be published', () => isPublished(pool), programs);
  const scored = new ScoredSite(site, made, env, await signedIn(programs[0]!.address));
  await scored.start();
  const rounds = await alternate(
    options.rounds,
    () => scored.rescore('posture-2'),
    () => scored.rescore('posture-1'),
    progress,
    'assets',
  );
  for (const program of programs) await program.stop();
  await made.drop();
  const aims = { ratioMin: RATIO_MIN, unit: 'assets' } as const;
  return resultOf('rescore', rounds, aims, await describeMachine(site.server.pool));
}

/** A site whose scorer runs only while it is measured, or while it prepares a run. */
class ScoredSite {
  private issue = 0;
  private readonly firstAt = Date.now();

  constructor(
    private readonly site: BenchSite,
    private readonly made: SiteDatabase,
    private readonly env: Record<string, string>,
    private readonly client: HttpClient,
  ) {}

  /** Imports the first file: later ones change its values. */
  async start(): Promise<void> {
    await this.importEpss();
    await this.score(MODEL_OF_NEW_LOGS);
  }

  /** Scores all assets by the model; then measures their scoring after an import. */
  async rescore(model: ScoringModel): Promise<SideRun> {
    await this.client.changeSettings({ scoringModel: model });
    await this.score(model);
    await this.importEpss();
    await settle(this.made.database);
    return this.score(model);
  }

  private async importEpss(): Promise<void> {
    const path = await writeEpssFile(this.site.folder, ++this.issue, this.firstAt);
    const args = ['catalogue', 'import', 'epss', path];
    await this.site.run({ name: 'posture catalogue', script: 'programs/posture.js', args, env: this.env });
  }

  /** From the start of the scorer, which scores before it says that it is ready. */
  private async score(model: ScoringModel): Promise<SideRun> {
    const { pool } = this.made.database;
    const { rows } = await pool.query('select count(*)::int as n from rescorings');
    const watchEngines = await watchProcesses(this.site.engines);
    const began = performance.now();
    const programs = await startApps(this.site, ['scorer'], this.env);
    await until('all assets to be scored', () => isRescored(pool, model), programs);
    const seconds = (performance.now() - began) / 1000;
    const ofPrograms = await usesSinceStart(programs.map(({ watched }) => watched));
    const processes = [...ofPrograms, ...(await watchEngines())];
    for (const program of programs) await program.stop();
    return { findings: rows[0].n, seconds, processes, remarks: {} };
  }
}
