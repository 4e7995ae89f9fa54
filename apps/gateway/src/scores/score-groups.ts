import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';

/** The grouping of assets; the organization is the group of all. */
export type GroupKind = 'type' | 'attackSurface' | 'department' | 'location';

/** Columns of `score_history`. */
export const GROUP_COLUMNS: Record<GroupKind, RawBuilder<string>> = {
  type: sql`type`,
  attackSurface: sql`attack_surface`,
  department: sql`department`,
  location: sql`location`,
};

/** Rows of `score_history` that were valid at an instant, in epoch milliseconds. */
export const heldAt = (at: number): RawBuilder<SqlBool> =>
  sql`valid_from <= ${instant(at)} and valid_to > ${instant(at)}`;
