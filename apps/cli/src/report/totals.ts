import { severityOf } from '#libs/domain';
import { assetFacts, type SeenAsset } from '#libs/views';
import type { ReportTotals } from './report-content.ts';
import { LEVELS, severityLevel } from './severity-level.ts';

/** States in the order that a report has them, none left out. */
const STATES = ['Failed', 'AcceptedFailed', 'Qualified', 'NotAssessed', 'Retired'];

/** Counts assets and findings in a stream; keeps one number for each asset type, finding type, state and level. */
export class Totals {
  private assets = 0;
  private readonly assetsByType = new Map<string, number>();
  private readonly findingsByState = new Map<string, number>(STATES.map((state) => [state, 0]));
  private readonly openByType = new Map<string, number>();
  private readonly openBySeverity = new Map<string, number>(LEVELS.map((level) => [level, 0]));

  add({ asset, findings }: SeenAsset): void {
    if (asset.deletedAt === null) {
      this.assets += 1;
      increase(this.assetsByType, assetFacts(asset).type);
    }
    for (const { finding, state } of findings) {
      increase(this.findingsByState, state);
      if (state !== 'Failed') continue;
      increase(this.openByType, finding.type);
      increase(this.openBySeverity, severityLevel(severityOf(finding)));
    }
  }

  /** States and levels in their own order, the worst first; types by code unit. */
  get counted(): ReportTotals {
    return {
      assets: this.assets,
      assetsByType: byKey(this.assetsByType),
      findingsByState: [...this.findingsByState],
      openFindingsByType: byKey(this.openByType),
      openFindingsBySeverity: [...this.openBySeverity],
    };
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const byKey = (counts: Map<string, number>): [string, number][] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
