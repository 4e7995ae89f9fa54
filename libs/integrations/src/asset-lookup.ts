/** The data of the asset that a name refers to. */
export interface MatchedAsset {
  id: string;
  fqdn: string | null;
  attackSurface: string;
}

/**
 * Returns the existing assets with these names or FQDNs, by the given names; at most 50,000 names. Names of no asset,
 * or of several, are missing in the result.
 */
export type AssetLookup = (names: readonly string[]) => Promise<ReadonlyMap<string, MatchedAsset>>;
