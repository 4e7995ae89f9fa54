import { type QueryExecutorProvider, sql } from 'kysely';
import { type TechniqueRow, TechniqueTimeline } from './technique-timeline.ts';

/** Which imports are in force determines all rows: their ids are unique. */
const VERSION = sql<string | null>`
  select md5(string_agg(id || ' ' || valid_from, ',' order by valid_from))
  from catalogue_imports where catalogue = 'attack' and valid_from is not null`;

let last: { version: string; timeline: TechniqueTimeline } | undefined;

/** The techniques of ATT&CK at all instants. The rows of all are read again only after an import. */
export async function readTechniques(db: QueryExecutorProvider): Promise<TechniqueTimeline> {
  const { rows } = await sql<{ version: string | null }>`
    /* read_techniques_version */
    select (${VERSION}) as version`.execute(db);
  const version = rows[0]!.version;
  if (version === null) return TechniqueTimeline.shipped;
  if (last?.version !== version) last = await readAll(db);
  return last?.timeline ?? TechniqueTimeline.shipped;
}

/** One statement, so that rows and version belong together. The ids of CVEs begin with another letter. */
async function readAll(db: QueryExecutorProvider): Promise<typeof last> {
  const { rows } = await sql<TechniqueRow & { version: string }>`
    select v.version, r.cve as id, r.value, r.valid_from as "validFrom", r.valid_to as "validTo"
    from (${VERSION}) as v (version)
    join catalogue_rows r on r.catalogue = 'attack' and r.cve like 'T%'`.execute(db);
  const version = rows[0]?.version;
  return version === undefined ? undefined : { version, timeline: new TechniqueTimeline(rows) };
}
