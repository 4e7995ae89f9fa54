import type { OwnerRule } from '../events.ts';
import { assigneeOf } from '../fold/triage-after.ts';
import type { Asset, Assignee } from '../state.ts';

/** Rules of one site. */
export const OWNER_RULES_MAX = 100;

/** What rules look at in an asset; department and location by default those of the settings. */
export interface RuledAsset {
  department: string;
  location: string;
  tags: Asset['tags'];
}

/** Who is responsible for an asset, and the place of the rule that says so, from 0. */
export interface RuledOwner {
  owner: Assignee;
  rule: number;
}

export const ruledAssetOf = ({ department, location, tags, defaults }: Asset): RuledAsset => ({
  department: department ?? defaults.department,
  location: location ?? defaults.location,
  tags,
});

/** The owner by the first rule that matches; null if none does (R-OWNER-2). */
export function ownerOf(rules: readonly OwnerRule[], asset: RuledAsset): RuledOwner | null {
  const rule = rules.findIndex((one) => matches(one, asset));
  const owner = rule < 0 ? null : assigneeOf(rules[rule]!);
  return owner && { owner, rule };
}

/** An asset has one department and one location, and several tags: it matches one of the former and all of the latter. */
const matches = (rule: OwnerRule, asset: RuledAsset): boolean =>
  (rule.departments.length === 0 || rule.departments.includes(asset.department)) &&
  (rule.locations.length === 0 || rule.locations.includes(asset.location)) &&
  rule.tags.every(({ key, value }) => Object.hasOwn(asset.tags, key) && asset.tags[key]!.includes(value));
