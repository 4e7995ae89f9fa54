import type pg from 'pg';
import { INTAKE_TOPIC } from '#libs/intake';
import type { BenchOptions, SideRun } from '../benchmark.ts';
import type { BenchSite } from '../run/bench-site.ts';
import type { ChildProgram } from '../run/child-program.ts';
import { watchProcesses } from '../run/process-use.ts';
import { SERVICE_TOPICS, serviceEnv, signedIn, startApps } from '../run/service.ts';
import { type Sent, sendSignals } from './send-signals.ts';
import type { JsonSignals } from './signals.ts';

type Log = BenchOptions['log'];

/** One run, and its response times in ms. */
export interface JsonRun extends SideRun, Pick<Sent, 'p50' | 'p99'> {}

const PARTITIONS = 12;
/** The maximum that the settings accept. */
const REQUESTS_PER_MINUTE = 1_000_000;

/** The run of the gateway. The projector only folds the setting and stops: responses do not depend on the fold. */
export async function sendToGateway(
  site: BenchSite,
  signals: JsonSignals,
  log: Log,
  round: number,
): Promise<JsonRun> {
  await site.topics.delete(SERVICE_TOPICS);
  const { url, database, drop } = await site.newDatabase(`gateway_${round}`);
  const programs = await startApps(site, ['gateway', 'projector'], serviceEnv(site, url, log));
  const [gateway, projector] = programs as [ChildProgram, ChildProgram];
  const client = await signedIn(gateway.address);
  await client.changeSettings({ jsonRequestsPerMinute: REQUESTS_PER_MINUTE });
  await projector.stop();

  const records = () => recordsOf(site, database.pool, INTAKE_TOPIC, log);
  const address = `${gateway.address}/api/v3/signals/`;
  const run = await send(site, gateway, address, client.headers, signals, records);
  await drop();
  return run;
}

/** The bare server's run on the same signals, with a separate topic. */
export async function sendToBareServer(
  site: BenchSite,
  signals: JsonSignals,
  log: Log,
  round: number,
): Promise<JsonRun> {
  const topic = `bare-json-${round}`;
  await site.topics.create(topic, PARTITIONS);
  const { url, database, drop } = await site.newDatabase(`bare_${round}`);
  const server = await site.start({
    name: 'bare server',
    script: 'bench/src/baseline/answer-json.js',
    env: {
      BENCH_TOPIC: topic,
      ...(log === 'kafka' ? { BENCH_BROKERS: site.brokers } : { BENCH_DATABASE: url }),
    },
    ready: /Answering on (http:\S+)/,
  });
  const records = () => recordsOf(site, database.pool, topic, log);
  const run = await send(site, server, server.address, {}, signals, records);
  await site.topics.delete([topic]);
  await drop();
  return run;
}

/** Sends the signals, then stops the server. @param records returns the number of records in the log */
async function send(
  site: BenchSite,
  server: ChildProgram,
  address: string,
  authorization: Record<string, string>,
  { warming, counted }: JsonSignals,
  records: () => Promise<number>,
): Promise<JsonRun> {
  const headers = { ...authorization, 'content-type': 'application/json' };
  const before = await records();
  await sendSignals(address, headers, warming);
  const watch = await watchProcesses([server.watched, ...site.engines, { name: 'client', pid: process.pid }]);
  const { seconds, p50, p99 } = await sendSignals(address, headers, counted);
  const processes = await watch();
  const stored = (await records()) - before;
  const expected = warming.length + counted.length;
  if (stored !== expected) throw new Error(`the log has stored ${stored} records, not ${expected}`);
  await server.stop();
  const remarks = { answered: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, all with 200` };
  return { findings: counted.length, seconds, processes, remarks, p50, p99 };
}

async function recordsOf(site: BenchSite, pool: pg.Pool, topic: string, log: Log): Promise<number> {
  if (log === 'kafka') return site.topics.records(topic);
  const { rows } = await pool.query(
    'select coalesce(sum(next_offset), 0)::float8 as records from log_ends where topic = $1',
    [topic],
  );
  return rows[0].records;
}
