import type { AssessmentClosed, Envelope } from '../events.ts';
import type { AssetState, EntityState, Stamp, TrackedFinding, UploadState } from '../state.ts';
import { matchAsset } from './match-asset.ts';
import { keepInstances } from './observe-finding.ts';
import { isBefore } from './stamp.ts';
import { type Moment, retireFinding } from './track-finding.ts';

/**
 * Replaces by stamp (R-FOLD-4): findings of the closed types, and single instances, that no upload since this one's
 * stamp has touched are retired. Accepted and held findings stay (R-ZIP-12).
 */
export function closeAssessment(
  moment: Moment,
  entity: EntityState,
  { rules }: Envelope,
  { types, names, matching }: AssessmentClosed,
  upload: UploadState,
): void {
  const meant = new Set(names.map((name) => matchAsset(entity, name, matching, rules)));
  const [first] = entity.assets;
  if (first && upload.soleAssets?.delete(first.asset.number)) meant.add(first);
  for (const asset of meant) {
    if (asset) replaceTypes(moment, asset, new Set<string>(types), upload);
  }
}

function replaceTypes(moment: Moment, asset: AssetState, types: Set<string>, upload: UploadState): void {
  for (const tracked of [...asset.findings.values()]) {
    const { finding, seen } = tracked;
    const isOpen = finding.state !== 'Retired' && !finding.accepted && !finding.heldFailed;
    if (!isOpen || !types.has(finding.type)) continue;
    if (isBefore(seen.stamp, upload.stamp)) {
      retireFinding(moment, asset, tracked, 'replaced');
      upload.counts.retired += 1;
    } else if (seen.instanceStamps) {
      dropStaleInstances(moment, asset, tracked, upload.stamp);
    }
  }
}

function dropStaleInstances(moment: Moment, asset: AssetState, tracked: TrackedFinding, stamp: Stamp): void {
  const { finding, seen } = tracked;
  const stamps = seen.instanceStamps!;
  const kept = finding.instances.filter(({ key }) => !isBefore(stamps[key] ?? seen.stamp, stamp));
  if (kept.length === finding.instances.length || kept.length === 0) return;
  const instanceStamps = Object.fromEntries(kept.map(({ key }) => [key, stamps[key] ?? seen.stamp]));
  keepInstances(moment, asset, { finding, seen: { ...seen, instanceStamps } }, kept);
}
