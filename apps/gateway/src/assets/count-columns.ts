import { type RawBuilder, sql } from 'kysely';

/**
 * SQL of `FindingCounts` over rows `f` of an asset's active findings.
 * @param state of a finding
 * @param body of it, as the fold stores it
 */
export const countColumns = (
  state: RawBuilder<unknown>,
  body: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  count(*) filter (where ${state} = 'Failed')::int as failed,
  count(*) filter (where ${state} = 'Qualified')::int as qualified,
  count(*) filter (where ${state} = 'AcceptedFailed')::int as accepted,
  count(*) filter (where ${state} = 'NotAssessed')::int as "notAssessed",
  count(*) filter (where f.type = 'edr')::int as "edrControls",
  coalesce(sum((
    select count(*) from json_array_elements(${body} -> 'instances') as instance
    where instance ->> 'status' = 'fail' and (instance ->> 'counted')::boolean
  )) filter (where f.type = 'edr'), 0)::int as "edrFindings"`;
