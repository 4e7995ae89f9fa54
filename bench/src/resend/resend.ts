import { join } from 'node:path';
import { type Benchmark, type BenchOptions, type BenchResult, inOrder, resultOf } from '../benchmark.ts';
import { scannedMachines } from '../data/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { resendToService } from './resend-to-service.ts';

const RATIO_MIN = 1.3;
/** Enough that V8 has compiled what an upload runs through. */
const WARM_UP_ZIPS = 2;
const WARM_UP_FINDINGS = 5_000;

/** The same ZIPs again, from the first request until the last is folded; the baseline is their first time. */
export const resend: Benchmark = {
  name: 'resend',
  summary: '5 MB ZIPs of known findings over HTTP until folded, beside the same ZIPs when they were new',
  defaults: { findings: 30_000, rounds: 5 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const machines = scannedMachines(options.findings + WARM_UP_FINDINGS, Date.now());
  const zips = await writeZipFiles(machines, join(site.folder, 'zips'));
  const sent = { warming: zips.slice(0, WARM_UP_ZIPS), counted: zips.slice(WARM_UP_ZIPS) };
  progress.say(`${zips.length} ZIPs; ${WARM_UP_ZIPS} of them go first every time, not counted`);
  const rounds = await inOrder(
    options.rounds,
    (round) => resendToService(site, sent, options.log, round),
    progress,
  );
  const name = options.log === 'kafka' ? 'resend' : 'resend --log postgres';
  return resultOf(name, rounds, { ratioMin: RATIO_MIN }, await describeMachine(site.server.pool));
}
