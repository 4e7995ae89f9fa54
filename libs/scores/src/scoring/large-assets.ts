import { LRUCache } from 'lru-cache';
import type { MovingRisk, ScoringChoice } from '#libs/domain';
import type { GroupedAsset } from './read-timelines.ts';

/** Scored asset in memory: its next change needs none of its other findings, of which no catalogue changes anything. */
export interface LargeAsset {
  assetNo: number;
  partition: number;
  risk: MovingRisk<GroupedAsset>;
  choice: ScoringChoice;
  /** Its findings by their places in the timeline of `risk`, and back. */
  findingNos: number[];
  places: Map<number, number>;
  /** Instant (epoch ms) from which on its stored scores follow from all changes up to `sequence`. */
  scoredFrom: number;
  /** Positions in the history of its partition up to which `risk` has all changes of the asset. */
  sequence: number;
  assetSequence: number;
  /** Position up to which the partition was scored when it was kept: a lower one means that a replay has begun again. */
  scoredTo: number;
  /** Of the tables and the catalogues that it was read from. */
  source: string;
}

interface LargeAssetLimits {
  /** Findings from which on an asset is kept. */
  findingsMin: number;
  /** Findings of all kept assets, about 1 KB of memory each. */
  findingsMax: number;
}

const LIMITS: LargeAssetLimits = { findingsMin: 2_000, findingsMax: 100_000 };

/** The large assets that one process has scored, least recently used first out. */
export class LargeAssets {
  readonly findingsMin: number;
  private readonly kept: LRUCache<number, LargeAsset>;

  constructor({ findingsMin, findingsMax } = LIMITS) {
    this.findingsMin = findingsMin;
    this.kept = new LRUCache({
      maxSize: findingsMax,
      sizeCalculation: ({ risk }) => Math.max(1, risk.timeline.findings.length),
    });
  }

  /** Removes it: what a transaction has moved on must not be used if it fails. */
  take(assetNo: number): LargeAsset | undefined {
    const known = this.kept.get(assetNo);
    this.kept.delete(assetNo);
    return known;
  }

  keep(asset: LargeAsset): void {
    this.kept.set(asset.assetNo, asset);
  }

  /** After a batch that had no change of the assets that are still kept: they need not look at its part of the history. */
  advance(partition: number, from: number, to: number): void {
    for (const asset of this.kept.values()) {
      if (asset.partition === partition && asset.sequence >= from)
        asset.sequence = Math.max(asset.sequence, to);
    }
  }

  forget(partition: number): void {
    for (const asset of this.kept.values()) {
      if (asset.partition === partition) this.kept.delete(asset.assetNo);
    }
  }
}
