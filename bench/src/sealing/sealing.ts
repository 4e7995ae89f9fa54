import { join } from 'node:path';
import { type ScannedMachine, scannedMachines } from '#libs/sample-data';
import { alternate, type Benchmark, type BenchOptions, type BenchResult, resultOf } from '../benchmark.ts';
import { packZips } from '../data/sent-zips.ts';
import { ingestByService } from '../ingest/ingest-by-service.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';

const RATIO_MIN = 0.9;
const SEALED = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'of-a-benchmark-with-32-characters' };
/** One entity in so many is a user; 1: all of them. */
const USER_EVERY = Number(process.env.BENCH_USER_EVERY ?? 1);

/** As `ingest`, with texts about persons sealed. The baseline is the same service without sealing. */
export const sealing: Benchmark = {
  name: 'sealing',
  summary: '5 MB ZIPs of findings of users, sealed, compared with the same ZIPs without sealing',
  defaults: { findings: 30_000, rounds: 5 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const zips = await packZips(options.findings, join(site.folder, 'zips'), users());
  const rounds = await alternate(
    options.rounds,
    (round) => ingestByService(site, zips, { ...options, round, env: SEALED }),
    (round) => ingestByService(site, zips, { ...options, round: 1_000 + round }),
    progress,
  );
  const name = options.log === 'kafka' ? 'sealing' : 'sealing --log postgres';
  const beside = 'the service without sealing';
  return resultOf(name, rounds, { ratioMin: RATIO_MIN, beside }, await describeMachine(site.server.pool));
}

function* users(): Generator<ScannedMachine> {
  let n = 0;
  for (const machine of scannedMachines(Number.POSITIVE_INFINITY, Date.now())) {
    n += 1;
    if (n % USER_EVERY !== 0) yield machine;
    else yield { ...machine, signals: machine.signals.map(asUser) };
  }
}

const asUser = (signal: ScannedMachine['signals'][number]) => ({
  ...signal,
  content: Buffer.from(signal.content.toString().replace(/"type":\s*"machine"/, '"type":"user"')),
});
