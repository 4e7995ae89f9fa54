import { join } from 'node:path';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { signalsIn, writeZipFiles } from '../data/zip-files.ts';
import { packEvents } from '../fold/fill-intake.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { foldBy, type ProjectorsRun } from './projectors-run.ts';
import { scalingReport } from './scaling-report.ts';

const PROJECTORS = [1, 2, 4];

/** The gain of more projectors, and its limit. */
export const scaling: Benchmark = {
  name: 'scaling',
  summary: 'fold of a filled intake log by one, two and four projectors, and what limits each',
  defaults: { findings: 40_000, rounds: 5 },
  logs: ['kafka'],
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  progress.say(`making the events of ${options.findings} findings`);
  const zips = await writeZipFiles(scannedMachines(options.findings, Date.now()), join(site.folder, 'zips'));
  const packed = { findings: signalsIn(zips), chunks: await packEvents(zips) };
  const rounds: ProjectorsRun[][] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const runs: ProjectorsRun[] = [];
    // The order alternates, so that not always the same number warms up the machine.
    for (const projectors of round % 2 === 1 ? PROJECTORS : PROJECTORS.toReversed()) {
      progress.say(`round ${round} of ${options.rounds}: ${projectors}`);
      const run = await foldBy(site, packed, { projectors, round });
      progress.say(`  ${(run.findings / run.seconds).toFixed(0)} findings/s in ${run.seconds.toFixed(1)} s`);
      runs.push(run);
    }
    rounds.push(runs);
  }
  return scalingReport(rounds, await describeMachine(site.server.pool));
}
