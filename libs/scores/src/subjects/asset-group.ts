import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { placeAt, typingAt } from '#libs/tables';
import type { GroupKind } from '../scoring/group-changes.ts';

/** The assets with one value of a grouping field. */
export interface AssetGroup {
  kind: Exclude<GroupKind, 'organization'>;
  name: string;
}

const COLUMNS = {
  type: 'type',
  attackSurface: 'attack_surface',
  department: 'department',
  location: 'location',
} as const;

/** That a row of `assets` or `score_history`, by the name that it has in the statement, is of the group. */
export const isInGroup = (row: 'a' | 'h', { kind, name }: AssetGroup): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${row}.${COLUMNS[kind]}`)} = ${name}`;

/** That a state `h` of the history (`assetStateAt`) is of the group. */
export const wasInGroup = ({ kind, name }: AssetGroup): RawBuilder<SqlBool> =>
  kind === 'type' || kind === 'attackSurface'
    ? sql`${typingAt(kind)} = ${name}`
    : sql`${placeAt(kind)} = ${name}`;
