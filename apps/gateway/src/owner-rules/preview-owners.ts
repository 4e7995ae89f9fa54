import { type Assignee, assigneeKey, assigneeOf, type OwnerRule } from '#libs/domain';
import { assigneeView } from '#libs/views';
import type { OwnedCounts } from './owned-counts.repository.ts';
import type { OwnedCountsDto, OwnerRulesPreviewDto } from './owner-rules.dto.ts';

/** What changes between two lists of rules. @param counted with each pair of places once */
export function previewOwners(
  before: readonly OwnerRule[],
  after: readonly OwnerRule[],
  counted: readonly OwnedCounts[],
): OwnerRulesPreviewDto {
  const rules = after.map(() => none());
  const unowned = none();
  const changed = none();
  const owners = new Map(
    [...before, ...after]
      .map(assigneeOf)
      .filter((owner) => owner !== null)
      .map((owner) => [assigneeKey(owner), { owner: assigneeView(owner), before: none(), after: none() }]),
  );
  for (const group of counted) {
    const was = keyOf(ownerBy(before, group.before));
    const is = keyOf(ownerBy(after, group.after));
    if (was !== null) add(owners.get(was)!.before, group);
    if (is !== null) add(owners.get(is)!.after, group);
    add(group.after === null ? unowned : rules[group.after]!, group);
    if (was !== is) add(changed, group);
  }
  return { rules, unowned, changed, owners: [...owners.keys()].sort().map((key) => owners.get(key)!) };
}

const none = (): OwnedCountsDto => ({ assets: 0, findings: 0 });

function add(sum: OwnedCountsDto, { assets, findings }: OwnedCounts): void {
  sum.assets += assets;
  sum.findings += findings;
}

const ownerBy = (rules: readonly OwnerRule[], place: number | null): Assignee | null =>
  place === null ? null : assigneeOf(rules[place]!);

const keyOf = (owner: Assignee | null): string | null => owner && assigneeKey(owner);
