import { type Asset, isoTime, isoTimeOrNull, type OwnerRule, ownerOf, ruledAssetOf } from '#libs/domain';
import { assetFacts } from './asset-facts.ts';
import { assetStatements } from './asset-statements.ts';
import { type FindingCounts, NO_FINDINGS } from './count-findings.ts';
import { assigneeView } from './finding-facts.ts';

/** A single asset as readers get it. */
export type AssetDetail = ReturnType<typeof assetDetail>;

/**
 * An asset in the response of GET /api/v3/assets.
 * @param seen `lastSeen` in epoch milliseconds; null if it is not known of a past instant
 * @param counts of its active findings; omitted: it has none
 * @param score in points; null if it has none, and if only the log is read, which has no catalogues
 * @param rules the owner rules; omitted: they are not known
 */
export function assetView(
  { asset, lastSeen }: { asset: Asset; lastSeen: number | null },
  counts: FindingCounts = NO_FINDINGS,
  score: number | null = null,
  rules: readonly OwnerRule[] = [],
) {
  const typing = asset.typing ?? asset.defaults.typing;
  const { edrControls, edrFindings, ...findings } = counts;
  return {
    ...assetFacts(asset),
    owner: ownerView(asset, rules),
    firstSeen: isoTime(asset.firstSeen),
    lastSeen: isoTimeOrNull(lastSeen),
    updatedAt: isoTime(asset.updatedAt),
    deletedAt: isoTimeOrNull(asset.deletedAt),
    erasedAt: isoTimeOrNull(asset.erasedAt ?? null),
    score,
    findings,
    edr: typing.supports.includes('edr') ? { controls: edrControls, findings: edrFindings } : null,
  };
}

/** An asset in the response of GET /api/v3/assets/:id: as in lists, with what each source said of it. */
export const assetDetail = (...given: Parameters<typeof assetView>) => ({
  ...assetView(...given),
  statements: assetStatements(given[0].asset),
});

/** The place of a rule in the words of the API counts from 1. */
function ownerView(asset: Asset, rules: readonly OwnerRule[]) {
  const ruled = ownerOf(rules, ruledAssetOf(asset));
  return ruled && { ...assigneeView(ruled.owner), rule: ruled.rule + 1 };
}
