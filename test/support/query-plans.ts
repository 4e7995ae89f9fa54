import { Kysely, PostgresDialect } from 'kysely';
import type { DatabaseConnection, Schema } from '#libs/database';
import type { TestDatabase } from './database.ts';

/** A node of a query plan in JSON, with what was read. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Makes a session report the plan of each query that it runs, with the rows that it read. */
const SHOW_PLANS = `
  load 'auto_explain';
  set auto_explain.log_min_duration = 0;
  set auto_explain.log_analyze = on;
  set auto_explain.log_timing = off;
  set auto_explain.log_format = json;
  set auto_explain.log_level = notice;
  set client_min_messages = notice`;
const PLAN = /^duration: \S+ ms {2}plan:\n/;

export interface Explained {
  /** Every look into a table. */
  scans: Plan[];
  /** Rows read from tables, by any kind of scan. */
  rows: number;
}

/** Shows the query plans of repositories, as the server ran their queries. */
export class QueryPlans {
  /** The database for the repositories under test. */
  readonly db: Kysely<Schema>;
  private readonly shown = new WeakSet<DatabaseConnection>();
  private plans: Plan[] = [];

  constructor(private readonly pool: TestDatabase['pool']) {
    const observed = { connect: () => this.observed(), end: () => pool.end() };
    this.db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: observed }) });
  }

  /** Runs the queries, and returns their plans. */
  async explain(ask: () => Promise<unknown>): Promise<Explained> {
    this.plans = [];
    await ask();
    if (this.plans.length === 0) throw new Error('no query was run on the database of the plans');
    const scans = this.plans.flatMap(nodes).filter((node) => node['Relation Name']);
    return { scans, rows: scans.reduce((sum, scan) => sum + rowsOf(scan), 0) };
  }

  private async observed(): Promise<DatabaseConnection> {
    const client = await this.pool.connect();
    if (this.shown.has(client)) return client;
    this.shown.add(client);
    await client.query(SHOW_PLANS);
    client.on('notice', ({ message = '' }) => {
      if (PLAN.test(message)) this.plans.push(JSON.parse(message.replace(PLAN, '')).Plan);
    });
    return client;
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
