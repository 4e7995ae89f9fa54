import { sql } from 'kysely';

/*
 * SQL of times of findings `f` in epoch milliseconds, as their indexes have them: rows that only an earlier version has
 * written have them in the body alone (ADR-0147).
 */

export const UPDATED_MS = sql`coalesce(f.updated_ms, (f.body ->> 'updatedAt')::bigint)`;
export const FIRST_SEEN_MS = sql`coalesce(f.first_seen_ms, (f.body ->> 'firstSeen')::bigint)`;
