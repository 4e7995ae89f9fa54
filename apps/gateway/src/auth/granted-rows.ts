import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { areWithin, type RowLimits, seesAllRows } from '#libs/tables';
import { RowsMissingException } from './access.ts';
import type { AddRowLimitsDto, RowLimitsDto } from './row-limits.dto.ts';

/**
 * The limits of a new credential, API token or webhook: each list that is given, otherwise that of the caller. Names need not
 * be in the lists of departments and locations: a source may give assets others (R-ASSET-20).
 * @throws RowsMissingException if the caller sees fewer rows
 */
export function grantedRows({ departments, locations }: AddRowLimitsDto, own: RowLimits): RowLimits {
  const granted = {
    departments: departments ?? own.departments,
    locations: locations ?? own.locations,
  };
  assertMayGrantRows(granted, own);
  return granted;
}

/** @throws RowsMissingException unless the caller sees all rows that are granted */
export function assertMayGrantRows(granted: RowLimits, own: RowLimits): void {
  if (areWithin(own, granted)) return;
  throw new RowsMissingException(
    `you may grant only access that you have yourself: yours is limited to ${sentenceOf(own)}`,
  );
}

/** Role or scopes as the audit trail shows them; none: the groups of a user give no access. */
export function withLimits(role: string, limits: RowLimits): string {
  if (role === '') return 'no access';
  return seesAllRows(limits) ? role : `${role} (limited to ${sentenceOf(limits)})`;
}

const sentenceOf = ({ departments, locations }: RowLimits): string =>
  [...namesIn('departments', departments), ...namesIn('locations', locations)].join(' and ');

function namesIn(what: string, names: readonly string[] | null): string[] {
  if (names === null) return [];
  return [names.length === 0 ? `no ${what}` : `the ${what} ${names.join(', ')}`];
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
