import { isEdrManaged } from '../../fold/edr-management.ts';
import type { Asset } from '../../state.ts';
import type { ThreatenedAsset } from './facts.ts';

/** The model's view of an asset as the fold has it. */
export function threatenedAssetOf(asset: Asset): ThreatenedAsset {
  const { id, criticality, confidentialityRequirement, integrityRequirement, availabilityRequirement } =
    asset;
  return {
    id,
    criticality,
    confidentialityRequirement,
    integrityRequirement,
    availabilityRequirement,
    attackSurface: (asset.typing ?? asset.defaults.typing).attackSurface,
    ipAddresses: asset.ipAddresses,
    isEdrManaged: isEdrManaged(asset),
  };
}
