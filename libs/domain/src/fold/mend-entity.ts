import type { EntityMended, MendedAsset, MendedFinding } from '../events.ts';
import { readJson } from '../organization/read-json.ts';
import type { Asset, AssetState, EntityState, Finding, FindingSeen, TrackedFinding } from '../state.ts';
import type { AssetChange, FindingChangeName } from './effects.ts';
import { putAsset } from './fold-asset.ts';
import { type Moment, recordChange, trackFinding } from './track-finding.ts';

/**
 * Sets an entity to its state without the wrong clock that advanced its partition. Values that have changed since the
 * mend was created stay, and so do fields that the mend does not name.
 */
export function mendEntity(moment: Moment, entity: EntityState, { assets, findings }: EntityMended): void {
  const stateOf = (id: string) => entity.assets.find(({ asset }) => asset.id === id);
  for (const mended of assets) {
    const state = stateOf(mended.assetId);
    if (state) mendAsset(moment, state, mended);
  }
  for (const mended of findings) {
    const state = stateOf(mended.assetId);
    if (state) mendFinding(moment, state, mended);
  }
}

function mendAsset(moment: Moment, state: AssetState, mended: MendedAsset): void {
  const { asset, lastSeen } = state;
  if (asset.version !== mended.seenVersion || lastSeen !== mended.seenAt) return;
  // Seen at the latest now: when exactly is in the log, and readers of an earlier instant did not see it.
  state.lastSeen = Math.min(lastSeen, moment.clock);
  moment.effects.touchedAssets.add(state);
  if (!isStale(asset, mended.fields, moment)) return;
  const { id, number, version } = asset;
  const next: Asset = { ...asset, ...fieldsOf<Asset>(mended.fields), id, number, version };
  putAsset(moment, state, next, changeOf(asset, next));
}

const changeOf = (was: Asset, is: Asset): AssetChange['change'] => {
  if ((was.deletedAt === null) === (is.deletedAt === null)) return 'updated';
  return is.deletedAt === null ? 'returned' : 'deleted';
};

function mendFinding(moment: Moment, asset: AssetState, mended: MendedFinding): void {
  const known = asset.findings.get(mended.findingId);
  if (!known) {
    if (mended.seenVersion === 0) createFinding(moment, asset, mended);
    return;
  }
  const { finding } = known;
  if (finding.version !== mended.seenVersion || known.seen.seenAt !== mended.seenAt) return;
  const seen = mendedSeen(moment, known, mended);
  if (!isStale(finding, mended.fields, moment)) {
    trackFinding(moment, asset, { finding, seen });
    return;
  }
  const { id, number, version } = finding;
  const next: Finding = { ...finding, ...fieldsOf<Finding>(mended.fields), id, number, version };
  const change = findingChangeOf(finding, next);
  recordChange(moment, asset, { finding: next, seen }, change, finding.state, 'clockCorrected', null);
}

/** An entity that only the wrong clock prevented: all of its fields are given. */
function createFinding(moment: Moment, asset: AssetState, { findingId, fields, seen }: MendedFinding): void {
  asset.findingCounter += 1;
  const own = { id: findingId, number: asset.findingCounter, version: 0 };
  const finding = { ...fieldsOf<Finding>(fields), ...own } as Finding;
  const tracked = { finding, seen: { ...fieldsOf<FindingSeen>(seen), seenAt: moment.clock } as FindingSeen };
  recordChange(moment, asset, tracked, 'created', null, 'clockCorrected', null);
}

const findingChangeOf = (was: Finding, is: Finding): FindingChangeName => {
  if (was.state === is.state) return 'updated';
  if (is.state === 'Retired') return 'retired';
  return was.state === 'Retired' ? 'returned' : 'stateChanged';
};

/** A value that is valid from now on has this time, also if only its time was wrong. */
function mendedSeen(moment: Moment, { seen }: TrackedFinding, mended: MendedFinding): FindingSeen {
  const isSame = Object.keys(mended.seen).length === 0 && seen.seenAt <= moment.clock;
  return isSame ? seen : { ...seen, ...fieldsOf<FindingSeen>(mended.seen), seenAt: moment.clock };
}

/** Whether there is something to change: a field, or that the last change has a time that is still to come. */
const isStale = (
  { updatedAt }: Pick<Asset, 'updatedAt'>,
  fields: Record<string, string>,
  { clock }: Moment,
): boolean => Object.keys(fields).length > 0 || updatedAt > clock;

/** Text that is not JSON is unchanged: the fold is total, and the edge writes no such text. */
const fieldsOf = <T>(fields: Record<string, string>): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, json]) => {
      const value = readJson(json);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Partial<T>;
