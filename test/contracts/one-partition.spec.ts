import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { readChanges } from '#libs/changes';
import { ASSETS_TOPIC } from '#libs/contracts';
import { openDatabase, type Schema } from '#libs/database';
import { projectFile } from '#libs/project-files';
import { LargeAssets } from '#libs/scores';
import {
  lastDeletionBefore,
  readDeletedFindings,
  readDeletions,
} from '../../apps/projector/src/publish/deletions.ts';
import { dueEntities, idleEntities } from '../../apps/projector/src/sweep/due-entities.ts';
import { countTotals } from '../../libs/projection/src/totals/count-totals.ts';
import { trimHistory } from '../../libs/projection/src/trim-history.ts';
import { lastPublished, notePublished } from '../../libs/publish/src/published-changes.ts';
import { scoreAll } from '../fixtures/scores/score-all.ts';
import { foldOn } from '../support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import type { LoggedEvent } from '../support/histories.ts';
import { openingsOf, PARTITIONS } from '../support/opened-log.ts';
import { DAY_MS, event, instance, observation, signal, uploadId } from '../support/scenario.ts';
import { threatHistories } from '../support/threat-histories.ts';

/**
 * What a distributed PostgreSQL needs: each statement of the writers finds the rows of one partition alone. The same
 * tables, partitioned by list, show in a plan which of their parts a statement reads or changes.
 */

interface Plan {
  Schema?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Tables of the writers in which each row belongs to one partition, and has a column for it. */
const PARTITIONED = [
  'asset_history',
  'asset_scores',
  'asset_seen',
  'assets',
  'finding_decisions',
  'finding_history',
  'finding_seen',
  'finding_totals',
  'findings',
  'history_summaries',
  'history_trims',
  'projection_positions',
  'published_changes',
  'rescorings',
  'score_changes',
  'score_history',
  'score_sums',
  'scored_partitions',
  'technique_totals',
  'totals_progress',
  'upload_progress',
];

/** All scorers read them. */
const WHOLE = ['acts', 'organization'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await createPartitioned();
});
afterAll(() => database.drop());

/** Makes tables in a schema of their own, in parts by `partition`, which their keys have too. */
async function createPartitioned(): Promise<void> {
  const { rows } = await database.pool.query<{ name: string; key: string; columns: string }>(
    `select c.relname as name, k.conname as key,
            (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
             where a.attrelid = c.oid and a.attnum = any (k.conkey) and a.attname <> 'partition') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
     join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relname = any ($1)`,
    [PARTITIONED],
  );
  await database.pool.query('create schema listed');
  for (const name of WHOLE) {
    await database.pool.query(`create table listed.${name} (like public.${name} including all)`);
  }
  for (const { name, key, columns } of rows) {
    const keyColumns = ['partition', ...(columns === null ? [] : [columns])].join(', ');
    await database.pool.query(
      `create table listed.${name} (like public.${name} including defaults including generated)
         partition by list (partition);
       alter table listed.${name} add constraint ${key} primary key (${keyColumns});`,
    );
    for (let partition = 0; partition <= PARTITIONS; partition++) {
      await database.pool.query(
        `create table listed.${name}_${partition} partition of listed.${name} for values in (${partition})`,
      );
    }
  }
}

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** Runs the writers of two partitions, and returns what they send. */
async function write(pool: TestDatabase['pool']): Promise<Statement[]> {
  const sent = new Map<string, Statement>();
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql, parameters } }) => {
      if (!sent.has(sql)) sent.set(sql, { sql, parameters });
    },
  });
  const events = fc.sample(threatHistories, { seed: 7, numRuns: 20 }).flat();
  const large = new LargeAssets({ findingsMin: 0, findingsMax: 1_000 });
  const past = [...openingsOf('posture-2'), ...events.sort(byTime)];
  const until = past.at(-1)!.event.envelope.at;
  const all = [...past, liveFinding(until)];
  for (const part of [0.3, 0.6, 1]) {
    await foldOn({ db }, all.slice(0, Math.ceil(part * all.length)));
    await scoreAll({ db }, PARTITIONS, until + part * DAY_MS, large);
    await scoreAll({ db }, PARTITIONS, until + part * DAY_MS);
  }
  const run = (statement: string, values: unknown[]) =>
    db.executeQuery(CompiledQuery.raw(statement, values)) as Promise<{
      rows: Record<string, number | null>[];
    }>;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    await run('delete from totals_progress where partition = $1::int', [partition]);
    while ((await countTotals(run, partition, 1)) !== null);
    await dueEntities(db, partition, until, 10);
    await idleEntities(db, partition, until, 10);
    for (const topic of ['assets', 'findings', 'scores'] as const) {
      await readChanges(db, topic, { partition, after: 0 }, { changesMax: 10, bytesMax: 1_000_000 });
    }
    const { deletions } = await readDeletions(db, partition, 0);
    for (const deletion of deletions) await readDeletedFindings(db, partition, deletion);
    await lastDeletionBefore(db, partition, 1);
    await lastPublished(db, ASSETS_TOPIC, partition, null);
    await notePublished(db, ASSETS_TOPIC, partition, 1);
    await trimHistory(run, partition, [{ findingType: 'va', before: until, throughSequence: 5 }]);
  }
  return [...sent.values()];
}

/** Most of the random ones have ended. */
const liveFinding = (at: number): LoggedEvent => {
  const one = instance('fail', { cves: ['CVE-2021-44228'], techniques: ['T1190'] });
  const live = signal('still there', 'fail', {
    expiresAt: at + 300 * DAY_MS,
    retainUntil: at + 300 * DAY_MS,
    observations: [observation('va', [one])],
  });
  return { partition: 0, event: event(live, at, { uploadId: uploadId(999), receivedAt: at }) };
};

async function rowsIn(schema: string): Promise<Map<string, unknown[]>> {
  const rows = new Map<string, unknown[]>();
  for (const table of [...PARTITIONED, ...WHOLE]) {
    const text = "(to_jsonb(t) - 'findings_table')::text";
    const found = await database.pool.query(`select ${text} as row from ${schema}.${table} t order by 1`);
    rows.set(table, found.rows);
  }
  return rows;
}

const byTime = (a: { event: { envelope: { at: number } } }, b: typeof a) =>
  a.event.envelope.at - b.event.envelope.at;

/** Of cursors the query; null for what reads no table. */
function queryOf(sql: string): string | null {
  const query = sql.trim().replace(/^declare \S+ no scroll cursor for\s+/, '');
  return /^(\/\*.*?\*\/\s*)?(select|insert|update|delete|with)\b/i.test(query) ? query : null;
}

/** Tables of the plan of a statement → the partitions that it reads or changes. */
async function partitionsOf({ sql, parameters }: Statement): Promise<Map<string, Set<string>>> {
  const client = await database.pool.connect();
  try {
    await client.query('set search_path = listed, public');
    const { rows } = await client.query(`explain (verbose, format json) ${sql}`, [...parameters]);
    const found = new Map<string, Set<string>>();
    const visit = (plan: Plan) => {
      const [, table, partition] = /^(.+)_(\d+)$/.exec(plan['Relation Name'] ?? '') ?? [];
      if (plan.Schema === 'listed' && table && partition) {
        found.set(table, (found.get(table) ?? new Set()).add(partition));
      }
      for (const child of plan.Plans ?? []) visit(child);
    };
    visit(rows[0]['QUERY PLAN'][0].Plan);
    return found;
  } finally {
    await client.query('reset search_path');
    client.release();
  }
}

it('the script for Citus distributes the same tables, and copies the others', async () => {
  const script = await readFile(projectFile('deploy/citus/distribute.sql'), 'utf8');
  const lists = [...script.matchAll(/foreach name in array array\[([^\]]*)\]/g)];
  const names = lists.map(([, list]) => [...list!.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort());
  expect(names).toEqual([[...PARTITIONED].sort(), [...WHOLE].sort()]);
});

describe('projector, scorer and publisher', () => {
  it('send statements that each find the rows of one partition', async () => {
    const sent = await write(database.pool);
    const wrong: string[] = [];
    const used = new Set<string>();
    const read = new Set<string>();
    for (const { sql, parameters } of sent) {
      const query = queryOf(sql);
      if (!query) continue;
      const found = await partitionsOf({ sql: query, parameters });
      const partitions = new Set([...found.values()].flatMap((one) => [...one]));
      for (const table of found.keys()) read.add(table);
      for (const table of PARTITIONED) if (found.has(table) || query.includes(table)) used.add(table);
      if (partitions.size > 1) wrong.push(`${[...found.keys()].join(', ')}: ${query}`);
    }
    expect(wrong).toEqual([]);
    // An insert shows no part of its table, since its rows choose it.
    expect([...read].sort()).toEqual(
      expect.arrayContaining(['assets', 'finding_history', 'findings', 'score_history']),
    );
    expect(PARTITIONED.filter((table) => !used.has(table))).toEqual([]);
  });

  it('write the same rows to tables that are in parts', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=listed,public');
    const parts = openDatabase(url.href, { max: 2 });
    try {
      await write(parts.pool);
    } finally {
      await parts.close();
    }
    const written = await rowsIn('listed');
    expect(written).toEqual(await rowsIn('public'));
    expect([...written].filter(([table, rows]) => rows.length === 0 && table !== 'rescorings')).toEqual([]);
  });
});
