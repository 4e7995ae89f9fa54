import { ForbiddenException } from '@nestjs/common';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { areWithin, type RowLimits, seesAllRows } from '#libs/tables';
import type { AddRowLimitsDto, RowLimitsDto } from './row-limits.dto.ts';

/**
 * The limits of a new credential, API token or webhook: the given ones, otherwise those of the caller. Names need not be in the
 * lists of departments and locations: a source may give assets others (R-ASSET-20).
 * @throws ForbiddenException if the caller sees fewer rows
 */
export function grantedRows({ departments, locations }: AddRowLimitsDto, own: RowLimits): RowLimits {
  const granted = { departments: departments ?? null, locations: locations ?? null };
  if (seesAllRows(granted)) return own;
  assertMayGrantRows(granted, own);
  return granted;
}

/** @throws ForbiddenException unless the caller sees all rows that are granted */
export function assertMayGrantRows(granted: RowLimits, own: RowLimits): void {
  if (areWithin(own, granted)) return;
  throw new ForbiddenException(
    `you may grant only access that you have yourself: yours is limited to ${sentenceOf(own)}`,
  );
}

/** Role or scopes as the audit trail shows them. */
export const withLimits = (role: string, limits: RowLimits): string =>
  seesAllRows(limits) ? role : `${role} (limited to ${sentenceOf(limits)})`;

function sentenceOf({ departments, locations }: RowLimits): string {
  const parts = [
    ...(departments === null ? [] : [`the departments ${departments.join(', ')}`]),
    ...(locations === null ? [] : [`the locations ${locations.join(', ')}`]),
  ];
  return parts.join(' and ');
}

export const rowLimitsView = ({ departments, locations }: RowLimits): RowLimitsDto => ({
  departments: departments && [...departments],
  locations: locations && [...locations],
});

/** SQL: a credential, API token or webhook that shows at most these rows. To callers with fewer rows the others do not exist. */
export const isWithinRows = ({ departments, locations }: RowLimits): RawBuilder<SqlBool> => {
  const parts = Object.entries({ departments, locations }).flatMap(([column, names]) =>
    names === null ? [] : [sql<SqlBool>`coalesce(${sql.ref(column)} <@ ${[...names]}::text[], false)`],
  );
  return sql<SqlBool>`${sql.join([sql`true`, ...parts], sql` and `)}`;
};
