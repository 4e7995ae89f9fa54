import type { Asset, AssetState } from '#libs/domain';
import { type SeenFinding, seenAt } from './seen-finding.ts';

/** An asset as a reader sees it at an instant, with all its findings, Retired ones too. */
export interface SeenAsset {
  asset: Asset;
  /** Epoch milliseconds. */
  lastSeen: number;
  /** In the order of their numbers. */
  findings: SeenFinding[];
}

/**
 * An asset, folded until an instant, as a reader sees it at that instant.
 * @param at epoch milliseconds, not before the last event that was folded; expiry is evaluated at that time
 */
export function seenAsset({ asset, lastSeen, findings }: AssetState, at: number): SeenAsset {
  const seen = [...findings.values()].map(({ finding, seen }) =>
    seenAt(
      {
        assetId: asset.id,
        assetName: asset.name,
        // The rules are in another partition of the log.
        owner: null,
        finding,
        lastSeen: seen.lastSeen,
        expiresAt: seen.expiresAt,
        retainUntil: seen.retainUntil,
        lastSignalAt: seen.stamp.at,
      },
      at,
    ),
  );
  return { asset, lastSeen, findings: seen.sort((a, b) => a.finding.number - b.finding.number) };
}
