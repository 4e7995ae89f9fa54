import type { AssessmentClosed, Envelope } from '../events.ts';
import type { AssetState, EntityState, Stamp, TrackedFinding, UploadState } from '../state.ts';
import { matchAsset } from './match-asset.ts';
import { keepInstances } from './observe-finding.ts';
import { isBefore } from './stamp.ts';
import { type Moment, retireFinding } from './track-finding.ts';

/** The first rules under which a finding is retired if all of its instances and stamps are stale (ADR-0161). */
const ALL_DROPPED = 11;

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
  for (const asset of entity.assets) if (upload.soleAssets?.delete(asset.asset.number)) meant.add(asset);
  for (const asset of meant) {
    if (asset) replaceTypes(moment, asset, new Set<string>(types), upload);
  }
}

function replaceTypes(moment: Moment, asset: AssetState, types: Set<string>, upload: UploadState): void {
  for (const tracked of [...asset.findings.values()]) {
    const { finding, seen } = tracked;
    const isOpen = finding.state !== 'Retired' && !finding.accepted && !finding.heldFailed;
    if (!isOpen || !types.has(finding.type)) continue;
    if (isStale(moment, tracked, upload.stamp)) {
      retireFinding(moment, asset, tracked, 'replaced');
      upload.counts.retired += 1;
    } else if (seen.instanceStamps) {
      dropStaleInstances(moment, asset, tracked, upload.stamp);
    }
  }
}

/**
 * Whether no upload since the stamp has reported the finding. A revocation leaves the stamp of the finding, and a signal
 * about an accepted finding the stamps of instances that it did not get.
 */
function isStale({ rules }: Moment, { finding, seen }: TrackedFinding, stamp: Stamp): boolean {
  const { instanceStamps } = seen;
  if (isBefore(seen.stamp, stamp)) return true;
  if (rules < ALL_DROPPED || !instanceStamps) return false;
  const ofInstances = finding.instances.map(({ key }) => instanceStamps[key] ?? seen.stamp);
  return [...ofInstances, ...Object.values(instanceStamps)].every((one) => isBefore(one, stamp));
}

function dropStaleInstances(moment: Moment, asset: AssetState, tracked: TrackedFinding, stamp: Stamp): void {
  const { finding, seen } = tracked;
  const stamps = seen.instanceStamps!;
  const isLeft = ([, one]: [string, Stamp]) => moment.rules >= ALL_DROPPED && !isBefore(one, stamp);
  const kept = finding.instances.filter(({ key }) => !isBefore(stamps[key] ?? seen.stamp, stamp));
  if (kept.length === finding.instances.length || kept.length === 0) return;
  const ofKept = kept.map(({ key }): [string, Stamp] => [key, stamps[key] ?? seen.stamp]);
  const instanceStamps = Object.fromEntries([...Object.entries(stamps).filter(isLeft), ...ofKept]);
  keepInstances(moment, asset, { finding, seen: { ...seen, instanceStamps } }, kept);
}
