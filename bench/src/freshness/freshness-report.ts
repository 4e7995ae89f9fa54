import { type Aim, aimLines, aimsCell, memoryAim } from '../aim.ts';
import type { BenchReport } from '../benchmark.ts';
import type { Machine } from '../machine.ts';
import { peaksInWords } from '../report.ts';
import type { ProcessUse } from '../run/process-use.ts';
import { percentile } from '../statistics.ts';
import type { Delays } from './delays.ts';
import type { Freshness, FreshnessFigures } from './figures.ts';

const JSON_P99_MS_MAX = 250;
const ZIP_P99_MS_MAX = 1_000;
const STAGES = ['answered', 'visible', 'scored'] as const;

export function freshnessReport(name: string, figures: FreshnessFigures, machine: Machine): BenchReport {
  const { json, zip, processes } = figures;
  const aims = [
    aim('JSON visible p99', p99(json, 'visible'), JSON_P99_MS_MAX),
    aim('JSON scored p99', p99(json, 'scored'), JSON_P99_MS_MAX),
    aim('last row of a ZIP p99', p99(zip, 'visible'), ZIP_P99_MS_MAX),
    memoryAim(processes),
  ];
  return {
    name,
    machine,
    figures: { ...figures, aims },
    lines: [
      ...wayInWords('JSON', json),
      ...wayInWords('ZIPs', zip),
      ...processes.map(
        (use) => `  ${use.name.padEnd(14)} ${use.cpuSeconds.toFixed(1).padStart(6)} s CPU ${mb(use)} at most`,
      ),
      ...aimLines(aims),
    ],
    cells: {
      'JSON signals/s': whole(json.capacity / 2),
      'visible p50 / p99, ms': pair(json, 'visible'),
      'scored p50 / p99, ms': pair(json, 'scored'),
      'ZIP findings/s': whole(zip.capacity / 2),
      'last row p50 / p99, ms': pair(zip, 'visible'),
      'peak memory': peaksInWords(processes),
      aims: aimsCell(aims),
    },
  };
}

const all = ({ rounds }: Freshness, stage: keyof Delays): number[] =>
  rounds.flatMap((delays) => delays[stage]);
const p99 = (way: Freshness, stage: keyof Delays): number => percentile(all(way, stage), 99);
const pair = (way: Freshness, stage: keyof Delays): string =>
  `${whole(percentile(all(way, stage), 50))} / ${whole(p99(way, stage))}`;

const aim = (what: string, ms: number, msMax: number): Aim => ({
  text: `${what} ≤ ${msMax} ms`,
  isMet: ms <= msMax,
});

/** Over all rounds; of p99 also the value of each round, as one bad second decides it. */
const wayInWords = (name: string, way: Freshness): string[] => [
  `  ${name} at ${whole(way.capacity / 2)} findings/s, half of ${whole(way.capacity)} (accepted: ${whole(way.accepted)}): ${all(way, 'visible').length} uploads`,
  ...STAGES.map((stage) => {
    const values = all(way, stage);
    const rounds = way.rounds.map((delays) => whole(percentile(delays[stage], 99)));
    return (
      `    ${STAGE_WORDS[stage].padEnd(24)} p50 ${ms(percentile(values, 50))}  p99 ${ms(percentile(values, 99))}` +
      `  at most ${ms(percentile(values, 100))}; p99 by round ${rounds.join(', ')}`
    );
  }),
];

const STAGE_WORDS: Record<keyof Delays, string> = {
  answered: 'sent until its 200',
  visible: 'from the 200 until visible',
  scored: 'from the 200 until scored',
};

const whole = (n: number) => Math.round(n).toLocaleString('en-US');
const ms = (n: number) => `${whole(n).padStart(6)} ms`;
const mb = ({ peakRssMb }: ProcessUse) => `${whole(peakRssMb).padStart(6)} MB`;
