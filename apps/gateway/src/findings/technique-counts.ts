import { type RawBuilder, sql } from 'kysely';

/** How many findings name a technique, by their states and types. */
export interface TechniqueCounts {
  failed: number;
  accepted: number;
  qualified: number;
  notAssessed: number;
  /** Failed findings of type `edr`. */
  detections: number;
  /** Qualified findings of type `ca` or `uba`. */
  controlsPassed: number;
  /** Failed findings of type `ca` or `uba`. */
  controlsFailed: number;
}

/** The counts of a technique, or of a technique with its sub-techniques, each finding once. */
export interface CountedTechnique extends TechniqueCounts {
  id: string;
  withSubtechniques: boolean;
}

const sumOf = (condition: RawBuilder<unknown>) =>
  sql`coalesce(sum(n.findings) filter (where ${condition}), 0)::int`;

const isControl = sql`n.type in ('ca', 'uba')`;

/**
 * The counts of each technique: those of the matrices first, then those with most failed findings.
 * @param named SQL of rows (id, withSubtechniques, state, type, findings)
 * @param known ids of the matrices
 */
export const countsOfNamed = (
  named: RawBuilder<unknown>,
  known: readonly string[],
): RawBuilder<CountedTechnique> => sql`
  select n.id, n."withSubtechniques",
         ${sumOf(sql`n.state = 'Failed'`)} as failed,
         ${sumOf(sql`n.state = 'AcceptedFailed'`)} as accepted,
         ${sumOf(sql`n.state = 'Qualified'`)} as qualified,
         ${sumOf(sql`n.state = 'NotAssessed'`)} as "notAssessed",
         ${sumOf(sql`n.state = 'Failed' and n.type = 'edr'`)} as detections,
         ${sumOf(sql`n.state = 'Qualified' and ${isControl}`)} as "controlsPassed",
         ${sumOf(sql`n.state = 'Failed' and ${isControl}`)} as "controlsFailed"
  from (${named}) n
  group by 1, 2
  order by n.id = any(${known}::text[]) desc, failed desc, n.id collate "C"`;

/**
 * As `countsOfNamed`, from sets of techniques with the number of findings that have them.
 * @param sets SQL of rows (state, type, techniques, findings)
 */
export const countsOfSets = (
  sets: RawBuilder<unknown>,
  known: readonly string[],
): RawBuilder<CountedTechnique> =>
  countsOfNamed(
    sql`
      select t.id, t."withSubtechniques", s.state, s.type, s.findings
      from (${sets}) s
      cross join lateral (
        select distinct id, false as "withSubtechniques" from unnest(s.techniques) id
        union all
        select distinct left(id, 5), true from unnest(s.techniques) id where left(id, 5) = any(${known}::text[])
      ) t`,
    known,
  );
