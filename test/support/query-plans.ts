import { Kysely, PostgresDialect } from 'kysely';
import type { Schema } from '#libs/database';
import type { TestDatabase } from './database.ts';

/** A node of what `explain (analyze, format json)` answers. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Additional statements of a transaction. */
const WITHOUT_PLAN = /^(begin|commit)/;
/** What plans depend on until the end of the transaction. */
const SETTING = /^set local /;

export interface Explained {
  /** Every look into a table. */
  scans: Plan[];
  /** Rows read from tables, by any kind of scan. */
  rows: number;
}

/** Shows the query plans of repositories. */
export class QueryPlans {
  /** The database for the repositories under test. */
  readonly db: Kysely<Schema>;
  private asked: { sql: string; parameters: readonly unknown[] }[] = [];

  constructor(private readonly pool: TestDatabase['pool']) {
    this.db = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query: { sql, parameters } }) => {
        if (!WITHOUT_PLAN.test(sql)) this.asked.push({ sql, parameters });
      },
    });
  }

  /** Runs the queries again, with their plans. */
  async explain(ask: () => Promise<unknown>): Promise<Explained> {
    this.asked = [];
    await ask();
    const scans: Plan[] = [];
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      for (const { sql, parameters } of this.asked) {
        if (SETTING.test(sql)) {
          await client.query(sql);
          continue;
        }
        const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters]);
        scans.push(...nodes(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']));
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    return { scans, rows: scans.reduce((sum, scan) => sum + rowsOf(scan), 0) };
  }
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

const rowsOf = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

/** The index that a scan reads, directly or by a bitmap. */
export const indexOf = (scan: Plan): string | undefined =>
  scan['Index Name'] ?? scan.Plans?.find((one) => one['Node Type'] === 'Bitmap Index Scan')?.['Index Name'];

/** A row for each partition, or for each type of findings in it. */
const SMALL = ['projection_positions', 'finding_texts_read', 'history_trims'];

/** Tables that were read from end to end, except small ones. */
export const wholeScans = ({ scans }: Explained): string[] =>
  scans
    .filter((scan) => scan['Node Type'] === 'Seq Scan')
    .map((scan) => scan['Relation Name']!)
    .filter((table) => !SMALL.includes(table));
