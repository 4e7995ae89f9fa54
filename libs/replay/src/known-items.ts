import type { Asset, AssetState, Effects, TrackedFinding } from '#libs/domain';

interface KnownAsset {
  asset: Asset;
  lastSeen: number;
  findings: Map<string, TrackedFinding>;
}

/**
 * Assets and findings as known at an instant: of each its last change until then. A change by a clock that was ahead,
 * and corrected, becomes known with the mend, as in the history.
 */
export class KnownItems {
  private readonly assets = new Map<number, KnownAsset>();

  /** @param at the instant, in epoch milliseconds */
  constructor(private readonly at: number) {}

  /** Takes the entities that an event has changed, if it was folded while the clock was not past the instant. */
  take({ touchedAssets, touchedFindings }: Pick<Effects, 'touchedAssets' | 'touchedFindings'>): void {
    for (const state of touchedAssets) this.takeAsset(state);
    for (const [id, state] of touchedFindings) this.takeFinding(id, state);
  }

  /** In the order of their numbers. */
  all(): AssetState[] {
    return [...this.assets.values()]
      .sort((a, b) => a.asset.number - b.asset.number)
      .map((known) => ({
        ...known,
        findingCounter: known.findings.size,
        nothingDueBefore: Number.POSITIVE_INFINITY,
      }));
  }

  private takeAsset({ asset, lastSeen }: AssetState): void {
    const known = this.assets.get(asset.number);
    if (known) {
      known.lastSeen = lastSeen;
      if (asset.updatedAt <= this.at) known.asset = asset;
    } else if (asset.updatedAt <= this.at) {
      this.assets.set(asset.number, { asset, lastSeen, findings: new Map() });
    }
  }

  private takeFinding(id: string, { asset, findings }: AssetState): void {
    const tracked = findings.get(id)!;
    const known = this.assets.get(asset.number);
    if (tracked.finding.updatedAt <= this.at) known?.findings.set(id, tracked);
    else {
      const before = known?.findings.get(id);
      if (before) known!.findings.set(id, { finding: before.finding, seen: tracked.seen });
    }
  }
}
