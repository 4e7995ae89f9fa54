/** A part of the contributions to a score, which are in the order of their shares, the greatest first, then of finding ids. */
export interface ContributionRange {
  /** The last one of the part before, its share in hundredths of a point; null for the first part. */
  after: { share: number; findingId: string } | null;
  limit: number;
}

export const ALL_CONTRIBUTIONS: ContributionRange = { after: null, limit: Number.POSITIVE_INFINITY };

/** Ids of the findings in a range. @param shares in hundredths of a point, by finding id */
export function idsInRange(
  shares: ReadonlyMap<string, number>,
  { after, limit }: ContributionRange,
): string[] {
  const ordered = [...shares].sort(([a, share], [b, other]) => other - share || (a < b ? -1 : 1));
  const following = after
    ? ordered.filter(([id, share]) => share < after.share || (share === after.share && id > after.findingId))
    : ordered;
  return following.slice(0, limit).map(([id]) => id);
}
