import { join } from 'node:path';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import type { Spread } from '../data/scans/machines.ts';
import { Supply } from '../data/supply.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { onEmptyDatabase, RunningService } from '../run/running-service.ts';
import { measureExtremes } from './extremes.ts';
import type { GrowthFigures } from './figures.ts';
import { growthReport } from './growth-report.ts';
import { measureSize, type SizeFigures } from './measure-size.ts';

/** A hundredth, a tenth and the whole of the requested size. */
const SHARES = [0.01, 0.1, 1];
const SLICE_MAX = 20_000;
/** Few large assets, and many small ones. The sizes are measured with assets of usual size. */
const SPREADS: Spread[] = [
  { findingsMin: 2_000, findingsMax: 2_000 },
  { findingsMin: 2, findingsMax: 2 },
];
const ONE_ASSET_FINDINGS_MAX = 50_000;
const ZIP_ASSETS_MAX = 10_000;

/** The cost of more findings, more assets and unusual shapes. */
export const growth: Benchmark = {
  name: 'growth',
  summary:
    'ingest, resend, queries and memory at a hundredth, a tenth and all of the findings; large assets and ZIPs',
  defaults: { findings: 2_000_000, rounds: 3 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  const totals = SHARES.map((share) => Math.round(options.findings * share));
  // At most the smallest size, so that the slices hardly change the size.
  const slice = Math.min(SLICE_MAX, Math.max(1, totals[0]!));
  const atSizes = (name: string, sizes: number[], spread?: Spread) =>
    onEmptyDatabase(site, name, async (database) => {
      const supply = new Supply(join(site.folder, name), spread);
      const figures: SizeFigures[] = [];
      for (const size of sizes) {
        figures.push(await measureSize({ site, database, supply, options, progress }, size, slice));
      }
      return figures;
    });
  const sizes = await atSizes('growth', totals);
  const spreads: SizeFigures[] = [];
  for (const [i, spread] of SPREADS.entries()) {
    progress.say(`${spread.findingsMin} findings an asset`);
    spreads.push(...(await atSizes(`growth_spread_${i}`, [totals[1]!], spread)));
  }
  const [large, usual, small] = [spreads[0]!, sizes[1]!, spreads[1]!];
  const extremes = await onEmptyDatabase(site, 'growth_extremes', async (database) => {
    const service = await RunningService.start(site, database, options.log);
    const most = {
      findings: Math.min(ONE_ASSET_FINDINGS_MAX, options.findings),
      assets: Math.min(ZIP_ASSETS_MAX, options.findings),
    };
    const found = await measureExtremes(site, service, most, progress);
    await service.stop();
    return found;
  });
  const name = options.log === 'kafka' ? 'growth' : 'growth --log postgres';
  const figures: GrowthFigures = { sizes, spreads: [large, usual, small], extremes };
  return growthReport(name, figures, await describeMachine(site.server.pool));
}
