import { type RowLimits, seesAllRows } from '#libs/tables';
import { RowsMissingException } from '../auth/access.ts';
import type { GroupKind } from './score-groups.ts';

/**
 * The groups of a kind whose score a caller may see: those of which it sees every asset. Null: all.
 * @throws RowsMissingException if a group of the kind can have assets that the caller does not see
 */
export function visibleGroups(rows: RowLimits, kind: GroupKind): readonly string[] | null {
  const { departments, locations } = rows;
  if (seesAllRows(rows)) return null;
  if (kind === 'department' && departments !== null && locations === null) return departments;
  if (kind === 'location' && locations !== null && departments === null) return locations;
  throw new RowsMissingException(PARTIAL);
}

/**
 * @throws RowsMissingException if the group, or without one the organization, can have assets that the caller does not
 * see
 */
export function assertSeesGroup(rows: RowLimits, group: { kind: GroupKind; name: string } | null): void {
  if (seesAllRows(rows)) return;
  if (group === null || !visibleGroups(rows, group.kind)?.includes(group.name)) {
    throw new RowsMissingException(PARTIAL);
  }
}

const PARTIAL =
  'this score includes assets that you may not see: your access is limited to departments or locations, so only the ' +
  'scores of these departments, or of these locations, are available';
