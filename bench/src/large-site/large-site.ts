import { join } from 'node:path';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { Supply } from '../data/supply.ts';
import { type Filling, fillTo, measureFilled, type SizeToMeasure } from '../growth/measure-size.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { findingChanges } from '../run/projection.ts';
import { SERVICE_TOPICS } from '../run/service.ts';
import { diskUse } from './disk.ts';
import { largeSiteReport, type SiteFigures } from './large-site-report.ts';
import { Steps } from './steps.ts';
import { upkeepOf } from './upkeep.ts';

const SHARES = [0.01, 1];
const SLICE_MAX = 20_000;
/** An interruption repeats the filling of one chunk. */
const CHUNK_FINDINGS = 500_000;

/** One site from its first finding to its last, with what operators do to it. */
export const largeSite: Benchmark = {
  name: 'large-site',
  summary:
    'at a hundredth and all of the findings: ingest, queries, verify, backup, replay, restore, scores after it, all findings again, and the disk',
  defaults: { findings: 1_000_000, rounds: 3 },
  logs: ['kafka'],
  continues: true,
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  const { findings, rounds } = options;
  const steps = await Steps.open(site.folder);
  if (steps.isEmpty) await site.topics.delete(SERVICE_TOPICS);
  const begun = await steps.step('begun', async () => ({ at: Date.now(), findings, rounds }));
  if (begun.findings !== findings || begun.rounds !== rounds)
    throw new Error(
      `${site.folder} has a run of --findings ${begun.findings} --rounds ${begun.rounds}: continue it with these`,
    );
  const totals = SHARES.map((share) => Math.round(findings * share));
  const slice = Math.min(SLICE_MAX, Math.max(1, totals[0]!));
  const database = await site.keptDatabase('large_site');
  const supply = new Supply(join(site.folder, 'supply'), undefined, begun.at);
  const toMeasure = { site, database, supply, options, progress };
  const sites: SiteFigures[] = [];
  for (const total of totals) sites.push(await measureSite(toMeasure, steps, total, slice));
  await database.drop();
  return largeSiteReport(sites, new Date(begun.at), await describeMachine(site.server.pool));
}

async function measureSite(
  toMeasure: SizeToMeasure,
  steps: Steps,
  total: number,
  slice: number,
): Promise<SiteFigures> {
  const { site, database, supply } = toMeasure;
  const fillings: Filling[] = [];
  while (supply.findings < total) {
    const next = Math.min(total, supply.findings + CHUNK_FINDINGS);
    fillings.push(await supplied(steps, `fill to ${next}`, supply, () => fillTo(toMeasure, next)));
  }
  const measured = await supplied(steps, `measure ${total}`, supply, async () => {
    const stored = await findingChanges(database.database.pool);
    if (stored > supply.findings) await fillTo(toMeasure, stored);
    return measureFilled(toMeasure, slice);
  });
  const size = {
    ...measured,
    filled: {
      findings: fillings.reduce((sum, filling) => sum + filling.findings, 0),
      seconds: fillings.reduce((sum, filling) => sum + filling.seconds, 0),
    },
    fillPeaks: fillings.flatMap(({ peaks }) => peaks),
  };
  const disk = await steps.step(`disk ${total}`, () => diskUse(site, database));
  return { size, stored: supply.findings, disk, upkeep: await upkeepOf(toMeasure, steps, total) };
}

/** A step that sends findings: if its result is kept, the supply leaves out what it sent. */
async function supplied<T>(steps: Steps, name: string, supply: Supply, work: () => Promise<T>): Promise<T> {
  const { result, findings } = await steps.step(name, async () => ({
    result: await work(),
    findings: supply.findings,
  }));
  supply.skip(findings);
  return result;
}
