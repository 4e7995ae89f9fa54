import { aimsCell } from '../aim.ts';
import type { BenchReport } from '../benchmark.ts';
import type { Machine } from '../machine.ts';
import { peaksInWords } from '../report.ts';
import type { FinishedCommand } from '../run/command.ts';
import type { ProcessUse } from '../run/process-use.ts';
import type { Latency, Tally } from './tally.ts';

export interface MixFigures {
  log: string;
  findings: number;
  assets: number;
  uploads: number;
  signals: number;
  changed: number;
  /** From the first upload until the last was folded. */
  seconds: number;
  /** From the first upload until the last replay ended as well. */
  daySeconds: number;
  tally: Tally;
  changes: number;
  replays: FinishedCommand[];
  verified: FinishedCommand;
  processes: ProcessUse[];
  machine: Machine;
}

export function mixReport(figures: MixFigures): BenchReport {
  const { log, uploads, signals, changed, seconds, tally, replays, verified, machine } = figures;
  const { latencies } = tally;
  const aims = [
    { text: 'no errors', isMet: tally.failures === 0 },
    { text: 'verify is clean', isMet: verified.output.startsWith('Clean:') },
    { text: 'changes are published', isMet: figures.changes > 0 },
  ];
  const uses = [...figures.processes, ...[...replays, verified].map(({ use }) => use)];
  const cells = {
    estate: `${whole(figures.findings)} findings of ${whole(figures.assets)} assets`,
    uploads: `${whole(uploads)} with ${whole(signals)} findings, ${whole(changed)} of them changed`,
    'findings/s': `${whole(signals / seconds)}, as they came: ${whole(uploads)} uploads in ${whole(seconds)} s`,
    replays: `${replays.length}, one after the other: ${replays.map((one) => `${whole(one.seconds)} s`).join(', ')}`,
    verify: `${verified.output.trim()}, ${whole(verified.seconds)} s`,
    'changes published': whole(figures.changes),
    errors: `${tally.failures}; 429: ${tally.busy}`,
    'CPU of the day': figures.processes.map((use) => `${use.name} ${whole(use.cpuSeconds)} s`).join(', '),
    'peak memory': peaksInWords(uses),
    aims: aimsCell(aims),
  };
  return {
    name: 'mix',
    machine,
    lines: [
      ...Object.entries(cells).map(([what, text]) => `  ${what.padEnd(16)} ${text}`),
      ...tally.errors.map((error) => `    ${error}`),
      '',
      ...latencies.map(
        ({ kind, count, ...ms }) => `  ${kind.padEnd(36)} ${whole(count).padStart(6)} times ${inMs(ms)}`,
      ),
    ],
    cells: {
      ...cells,
      ...Object.fromEntries(
        latencies.map(({ kind, count, ...ms }) => [kind, `${inMs(ms)} (${whole(count)})`]),
      ),
    },
    figures: { ...figures, log, tally: undefined, latencies, errors: tally.errors },
  };
}

const whole = (n: number) => Math.round(n).toLocaleString('en-US');

const inMs = ({ p50, p99, max }: Omit<Latency, 'kind' | 'count'>): string =>
  `p50 ${whole(p50)} ms, p99 ${whole(p99)} ms, slowest ${whole(max)} ms`;
