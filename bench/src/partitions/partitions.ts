import { join } from 'node:path';
import { alternate, type Benchmark, resultOf } from '../benchmark.ts';
import { packZips } from '../data/sent-zips.ts';
import { ingestByService } from '../ingest/ingest-by-service.ts';
import { describeMachine } from '../machine.ts';
import { throughputReport } from '../report.ts';
import { onSite } from '../run/bench-site.ts';

const RATIO_MIN = 0.8;

/** As `ingest`, with a log of more partitions. The baseline is the same service with the default number of them. */
export const partitions48 = partitionsOf(48);
export const partitions192 = partitionsOf(192);

function partitionsOf(count: number): Benchmark {
  const name = `partitions-${count}`;
  const env = { LOG_PARTITIONS: String(count) };
  return {
    name,
    summary: `5 MB ZIPs of new findings over HTTP, a log of ${count} partitions, compared with one of 12`,
    defaults: { findings: 30_000, rounds: 5 },
    logs: ['kafka', 'postgres'],
    run: (options, progress) =>
      onSite(options, progress, async (site) => {
        progress.say(`packing ${options.findings} findings`);
        const zips = await packZips(options.findings, join(site.folder, 'zips'));
        const rounds = await alternate(
          options.rounds,
          (round) => ingestByService(site, zips, { ...options, round, env }),
          (round) => ingestByService(site, zips, { ...options, round: options.rounds + round }),
          progress,
        );
        return throughputReport(
          resultOf(
            options.log === 'kafka' ? name : `${name} --log postgres`,
            rounds,
            { ratioMin: RATIO_MIN, beside: 'the service with 12 partitions' },
            await describeMachine(site.server.pool),
          ),
        );
      }),
  };
}
