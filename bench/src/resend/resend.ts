import { join } from 'node:path';
import { type Benchmark, type BenchOptions, type BenchResult, inOrder, resultOf } from '../benchmark.ts';
import { packZips } from '../data/sent-zips.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { resendToService } from './resend-to-service.ts';

const RATIO_MIN = 1.3;

/** The same ZIPs again, from the first request until the last is folded. The baseline is their first upload. */
export const resend: Benchmark = {
  name: 'resend',
  summary:
    '5 MB ZIPs of known findings over HTTP until folded, compared with the same ZIPs when they were new',
  defaults: { findings: 30_000, rounds: 5 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const zips = await packZips(options.findings, join(site.folder, 'zips'));
  const { warming, counted } = zips;
  progress.say(`${counted.length} ZIPs; ${warming.length} more go first every time, not counted`);
  const rounds = await inOrder(
    options.rounds,
    (round) => resendToService(site, zips, options.log, round),
    progress,
  );
  const name = options.log === 'kafka' ? 'resend' : 'resend --log postgres';
  return resultOf(name, rounds, { ratioMin: RATIO_MIN }, await describeMachine(site.server.pool));
}
