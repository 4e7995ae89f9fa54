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
  sql`coalesce(sum(s.findings) filter (where ${condition}), 0)::int`;

const isControl = sql`s.type in ('ca', 'uba')`;

/**
 * The counts of each technique, from sets of techniques with the number of findings that have them: those of the
 * matrices first, then those with most failed findings.
 * @param sets SQL of rows (state, type, techniques, findings)
 * @param known ids of the matrices
 */
export const countsOfSets = (
  sets: RawBuilder<unknown>,
  known: readonly string[],
): RawBuilder<CountedTechnique> => sql`
  select n.id, n."withSubtechniques",
         ${sumOf(sql`s.state = 'Failed'`)} as failed,
         ${sumOf(sql`s.state = 'AcceptedFailed'`)} as accepted,
         ${sumOf(sql`s.state = 'Qualified'`)} as qualified,
         ${sumOf(sql`s.state = 'NotAssessed'`)} as "notAssessed",
         ${sumOf(sql`s.state = 'Failed' and s.type = 'edr'`)} as detections,
         ${sumOf(sql`s.state = 'Qualified' and ${isControl}`)} as "controlsPassed",
         ${sumOf(sql`s.state = 'Failed' and ${isControl}`)} as "controlsFailed"
  from (${sets}) s
  cross join lateral (
    select distinct id, false as "withSubtechniques" from unnest(s.techniques) id
    union all
    select distinct left(id, 5), true from unnest(s.techniques) id where left(id, 5) = any(${known}::text[])
  ) n
  group by 1, 2
  order by n.id = any(${known}::text[]) desc, failed desc, n.id collate "C"`;
