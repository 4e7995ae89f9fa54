import {
  alternate,
  type Benchmark,
  type BenchOptions,
  type BenchReport,
  type Round,
  resultOf,
} from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { type JsonRun, sendToBareServer, sendToGateway } from './json-runs.ts';
import { jsonSignals } from './signals.ts';

const RATIO_MIN = 0.7;

/** POST /api/v3/signals/ over 64 connections, from the request until the log has the signal. */
export const json: Benchmark = {
  name: 'json',
  summary:
    'signals by JSON over 64 connections until durable, compared with bare Fastify with the same appends',
  defaults: { findings: 20_000, rounds: 5 },
  smoke: { findings: 4_000, rounds: 1 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  const { log, rounds } = options;
  const signals = jsonSignals(options.findings);
  const name = log === 'kafka' ? 'json' : 'json --log postgres';
  const unit = 'requests';
  const gatewayRuns: JsonRun[] = [];
  const bareRuns: JsonRun[] = [];
  const done: Round[] = await alternate(
    rounds,
    async (round) => kept(gatewayRuns, await sendToGateway(site, signals, log, round)),
    async (round) => kept(bareRuns, await sendToBareServer(site, signals, log, round)),
    progress,
    unit,
  );
  const machine = await describeMachine(site.server.pool);
  const report = throughputReport(resultOf(name, done, { ratioMin: RATIO_MIN, unit }, machine));
  const cells = { ...report.cells, 'p99, ms': `${worst(gatewayRuns)}, baseline ${worst(bareRuns)}` };
  return { ...report, cells };
}

function kept(runs: JsonRun[], run: JsonRun): JsonRun {
  runs.push(run);
  return run;
}

const worst = (runs: JsonRun[]): string => Math.max(...runs.map(({ p99 }) => p99)).toFixed(0);
