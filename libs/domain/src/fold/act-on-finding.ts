import type { FindingAct } from '../events.ts';
import type { AssetState, EntityState, TrackedFinding } from '../state.ts';
import type { Refusal } from './effects.ts';
import { refusalOf } from './refusal-of.ts';

/** Applies a user's act to its finding, or returns why it is refused (R-FOLD-6). */
export function actOnFinding(
  entity: EntityState,
  act: FindingAct,
  apply: (asset: AssetState, tracked: TrackedFinding) => void,
): Refusal | null {
  const asset = entity.assets.find(({ findings }) => findings.has(act.findingId));
  const tracked = asset?.findings.get(act.findingId);
  if (!asset || !tracked) return 'unknown';
  const refused = refusalOf(tracked.finding, act);
  if (refused === null) apply(asset, tracked);
  return refused;
}
