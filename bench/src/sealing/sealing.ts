import { join } from 'node:path';
import { alternate, type Benchmark, type BenchOptions, type Round, resultOf } from '../benchmark.ts';
import { type ScannedMachine, scannedMachines } from '../data/scans/machines.ts';
import { packZips, type SentZips } from '../data/sent-zips.ts';
import { ingestByService } from '../ingest/ingest-by-service.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';

const RATIO_MIN = 0.9;
const SEALED = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'of-a-benchmark-with-32-characters' };

/** As `ingest`, with texts about persons sealed. The baseline is the same service without sealing. */
export const sealing = sealingOf('sealing', 'users', 1);
export const sealingMixed = sealingOf('sealing-mixed', 'machines and few users', 20);

/** @param userEvery one entity in so many is a user */
function sealingOf(name: string, whose: string, userEvery: number): Benchmark {
  return {
    name,
    summary: `5 MB ZIPs of findings of ${whose}, sealed, compared with the same ZIPs without sealing`,
    defaults: { findings: 30_000, rounds: 5 },
    logs: ['kafka', 'postgres'],
    run: (options, progress) =>
      onSite(options, progress, async (site) => {
        progress.say(`packing ${options.findings} findings`);
        const zips = await packZips(options.findings, join(site.folder, 'zips'), withUsers(userEvery));
        const rounds = await measure(site, zips, options, progress);
        return throughputReport(
          resultOf(
            options.log === 'kafka' ? name : `${name} --log postgres`,
            rounds,
            { ratioMin: RATIO_MIN, beside: 'the service without sealing' },
            await describeMachine(site.server.pool),
          ),
        );
      }),
  };
}

const measure = (
  site: BenchSite,
  zips: SentZips,
  options: BenchOptions,
  progress: Progress,
): Promise<Round[]> =>
  alternate(
    options.rounds,
    (round) => ingestByService(site, zips, { ...options, round, env: SEALED }),
    (round) => ingestByService(site, zips, { ...options, round: options.rounds + round }),
    progress,
  );

function* withUsers(every: number): Generator<ScannedMachine> {
  let n = 0;
  for (const machine of scannedMachines(Number.POSITIVE_INFINITY, Date.now())) {
    n += 1;
    yield n % every === 0 ? { ...machine, signals: machine.signals.map(asUser) } : machine;
  }
}

const asUser = (signal: ScannedMachine['signals'][number]) => ({
  ...signal,
  content: Buffer.from(signal.content.toString().replace(/"type":\s*"machine"/, '"type":"user"')),
});
