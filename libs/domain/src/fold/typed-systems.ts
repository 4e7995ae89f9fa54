import type { AssetRetyped, AssetTyping } from '../events.ts';
import type { Asset, Statement } from '../state.ts';
import { sameContent } from './same-content.ts';
import { merged } from './statements.ts';

/** The operating systems of an asset and of what its sources said, each with its type, unless a source gave the type. */
export function typedSystems(asset: Asset): { os: string; from: AssetTyping | null }[] {
  const systems = typed(asset).flatMap(({ os, typing, isTypeGiven }) =>
    typeof os === 'string' && !isTypeGiven ? [{ os, from: typing ?? null }] : [],
  );
  return systems.filter((one, i) => systems.findIndex((other) => sameContent(one, other)) === i);
}

/** The asset after a new mapping; the same one if nothing has the operating system with the type of before. */
export function withTypingOfOs(
  asset: Asset,
  { os, from = null, typing }: Omit<AssetRetyped, 'type' | 'assetId'>,
  rules: number,
): Asset {
  const isMeant = (one: Typed) => one.os === os && !one.isTypeGiven && sameContent(one.typing ?? null, from);
  if (!typed(asset).some(isMeant)) return asset;
  const statements = asset.statements?.map((one) => (isMeant(one) ? { ...one, typing } : one));
  if (!statements?.length) return { ...asset, typing };
  return { ...asset, typing: merged(asset, statements, rules).typing, statements };
}

type Typed = Pick<Statement, 'isTypeGiven'> & Partial<Pick<Asset, 'os' | 'typing'>>;

/** The statements of an asset, or itself if it has none. */
const typed = (asset: Asset): readonly Typed[] => (asset.statements?.length ? asset.statements : [asset]);
