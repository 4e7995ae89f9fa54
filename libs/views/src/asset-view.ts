import type { Asset } from '#libs/domain';
import { assetFacts } from './asset-facts.ts';
import { type FindingCounts, NO_FINDINGS } from './count-findings.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';

/** An asset as its readers get it (api.md: assets). */
export type AssetView = ReturnType<typeof assetView>;

/**
 * An asset as GET /api/v3/assets/:id answers it.
 * @param seen `lastSeen` in epoch milliseconds; null where it is not known of a past instant
 * @param counts of its active findings; left out: it has none
 * @param score in points; null where it has none, and where the log alone is asked, which has no catalogues
 */
export function assetView(
  { asset, lastSeen }: { asset: Asset; lastSeen: number | null },
  counts: FindingCounts = NO_FINDINGS,
  score: number | null = null,
) {
  const typing = asset.typing ?? asset.defaults.typing;
  const { edrControls, edrFindings, ...findings } = counts;
  return {
    ...assetFacts(asset),
    firstSeen: isoTime(asset.firstSeen),
    lastSeen: isoTimeOrNull(lastSeen),
    updatedAt: isoTime(asset.updatedAt),
    deletedAt: isoTimeOrNull(asset.deletedAt),
    score,
    findings,
    edr: typing.supports.includes('edr') ? { controls: edrControls, findings: edrFindings } : null,
  };
}
