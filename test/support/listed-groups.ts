import { severityLevelOf } from '#libs/domain';
import type { FindingItemDto } from '../../apps/gateway/src/findings/finding.dto.ts';
import type {
  FindingGroupDto,
  FindingGroupsDto,
  Grouping,
} from '../../apps/gateway/src/findings/finding-groups.dto.ts';

const NAME_CHARACTERS = 600;

const KEYS: Record<Grouping, (finding: FindingItemDto) => readonly string[]> = {
  cve: ({ cves }) => cves,
  technique: ({ techniques }) => techniques,
  asset: ({ assetId }) => [assetId],
  title: ({ name }) => [[...name].slice(0, NAME_CHARACTERS).join('').toLowerCase()],
};

/** The filter that lists a group. */
export const FILTERS = { cve: 'cve', technique: 'technique', asset: 'assetId', title: 'title' } as const;

export type GroupsWithoutNames = Omit<FindingGroupsDto, 'groups'> & {
  groups: Omit<FindingGroupDto, 'name'>[];
};

/**
 * The groups of all findings of a list, counted one by one.
 * @param only the CVE or the technique that the list is filtered by
 */
export function groupsOfList(
  by: Grouping,
  findings: readonly FindingItemDto[],
  limit = 50,
  only?: string,
): GroupsWithoutNames {
  const groups = new Map<string, Omit<FindingGroupDto, 'name'>>();
  let withoutGroup = 0;
  for (const finding of findings) {
    const keys = new Set(KEYS[by](finding));
    if (keys.size === 0) withoutGroup += 1;
    for (const key of keys) if (only === undefined || key === only) add(groups, key, finding);
  }
  const inOrder = [...groups.values()].sort(
    (a, b) =>
      b.findings - a.findings ||
      b.severityMax - a.severityMax ||
      Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)),
  );
  return { by, groups: inOrder.slice(0, limit), totalGroups: groups.size, withoutGroup };
}

function add(
  groups: Map<string, Omit<FindingGroupDto, 'name'>>,
  key: string,
  { state, severity: { value } }: FindingItemDto,
): void {
  const group = groups.get(key) ?? { key, findings: 0, severityMax: 0, state: {}, severityLevel: {} };
  const level = severityLevelOf(value);
  groups.set(key, {
    key,
    findings: group.findings + 1,
    severityMax: Math.max(group.severityMax, Math.fround(value)),
    state: { ...group.state, [state]: (group.state[state] ?? 0) + 1 },
    severityLevel: { ...group.severityLevel, [level]: (group.severityLevel[level] ?? 0) + 1 },
  });
}

/** With severities as a column of PostgreSQL rounds them. */
export const withoutNames = ({ groups, ...others }: FindingGroupsDto): GroupsWithoutNames => ({
  ...others,
  groups: groups.map(({ name: _, ...group }) => ({ ...group, severityMax: Math.fround(group.severityMax) })),
});
