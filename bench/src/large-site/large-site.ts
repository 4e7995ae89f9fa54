import { join } from 'node:path';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { Supply } from '../data/supply.ts';
import { measureSize } from '../growth/measure-size.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { onEmptyDatabase } from '../run/running-service.ts';
import { diskUse } from './disk.ts';
import { largeSiteReport, type SiteFigures } from './large-site-report.ts';
import { upkeepOf } from './upkeep.ts';

const SHARES = [0.01, 1];
const SLICE_MAX = 20_000;

/** One site from its first finding to its last, with what operators do to it. */
export const largeSite: Benchmark = {
  name: 'large-site',
  summary:
    'at a hundredth and all of the findings: ingest, queries, verify, backup, replay, restore, scores after it, all findings again, and the disk',
  defaults: { findings: 1_000_000, rounds: 3 },
  logs: ['kafka'],
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  const totals = SHARES.map((share) => Math.round(options.findings * share));
  const slice = Math.min(SLICE_MAX, Math.max(1, totals[0]!));
  const sizes = await onEmptyDatabase(site, 'large_site', async (database) => {
    const supply = new Supply(join(site.folder, 'supply'));
    const figures: SiteFigures[] = [];
    for (const total of totals) {
      const size = await measureSize({ site, database, supply, options, progress }, total, slice);
      const disk = await diskUse(site, database);
      const stored = supply.findings;
      const upkeep = await upkeepOf(site, database, supply, progress);
      figures.push({ size, stored, disk, upkeep });
    }
    return figures;
  });
  return largeSiteReport(sizes, await describeMachine(site.server.pool));
}
