import type { AssetState, EntityState, TrackedFinding } from '../state.ts';
import type { Refusal } from './effects.ts';

/** A user's act on a finding that is active, and in the version that was seen (R-FOLD-6). */
export function actOnFinding(
  entity: EntityState,
  findingId: string,
  seenVersion: number | null,
  act: (asset: AssetState, tracked: TrackedFinding) => Refusal | null,
): Refusal | null {
  const asset = entity.assets.find(({ findings }) => findings.has(findingId));
  const tracked = asset?.findings.get(findingId);
  if (!asset || !tracked || tracked.finding.state === 'Retired') return 'unknown';
  if (seenVersion !== null && seenVersion !== tracked.finding.version) return 'stale';
  return act(asset, tracked);
}
