import 'reflect-metadata';
import { inspect } from 'node:util';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { reportOf, runAll } from './all.ts';
import type { Benchmark, BenchOptions, Size } from './benchmark.ts';
import { callsOf, commandOf, nameOf } from './calls.ts';
import { consoleTables } from './console/console-tables.ts';
import { fold } from './fold/fold.ts';
import { freshness } from './freshness/freshness.ts';
import { growth } from './growth/growth.ts';
import { ingest } from './ingest/ingest.ts';
import { json } from './json/json.ts';
import { largeAsset } from './large-asset/large-asset.ts';
import { largeSite } from './large-site/large-site.ts';
import { mix } from './mix/mix.ts';
import { partitions48, partitions192 } from './partitions/partitions.ts';
import { progressOn } from './progress.ts';
import { readBook, recordReport, recordSmoke } from './record/record.ts';
import { replay } from './replay/replay.ts';
import { inWords } from './report.ts';
import { rescore } from './rescore/rescore.ts';
import { refold } from './resend/refold.ts';
import { resend } from './resend/resend.ts';
import { scaling } from './scaling/scaling.ts';
import { sealing, sealingMixed } from './sealing/sealing.ts';
import { regressions } from './smoke/regressions.ts';
import { runSmoke } from './smoke/smoke.ts';

const BENCHMARKS: Benchmark[] = [
  ingest,
  sealing,
  sealingMixed,
  fold,
  resend,
  refold,
  replay,
  rescore,
  largeAsset,
  json,
  freshness,
  scaling,
  partitions48,
  partitions192,
  mix,
  growth,
  largeSite,
  consoleTables,
];
const NAMES = callsOf(BENCHMARKS).map(nameOf);
const USAGE_EXIT = 2;

interface Flags extends Partial<Size> {
  log?: BenchOptions['log'];
  profile?: string;
  folder?: string;
  json: boolean;
  record: boolean;
}

const line = (name: string, text: string) => `  ${name.padEnd(8)} ${text}`;
const list = () =>
  [
    ...BENCHMARKS.map(({ name, summary, defaults: { findings, rounds } }) =>
      line(name, `${summary} (${findings} findings, ${rounds} round${rounds === 1 ? '' : 's'})`),
    ),
    line('all', 'every benchmark on each of its logs, in five rounds at least; writes docs/benchmarks.md'),
    line('smoke', 'small runs; fails if a ratio is a third below the recorded one'),
  ].join('\n');

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('a whole number from 1');
  return number;
}

const progress = progressOn(process.stderr);

const command = new Command('npm run bench --')
  .argument('[name]', 'the benchmark, all or smoke')
  .option('--findings <n>', 'new findings in each run', positive)
  .option('--rounds <n>', 'runs of each side', positive)
  .addOption(
    new Option(
      '--log <kind>',
      'log of the service: kafka if the benchmark supports it; postgres: the single process of npm start',
    ).choices(['kafka', 'postgres']),
  )
  .option('--profile <folder>', 'write CPU profiles of the programs there')
  .option('--folder <folder>', 'large-site: keep the site there; the same call continues an interrupted one')
  .option('--json', 'the result as JSON on standard output', false)
  .option('--record', 'store the result in docs/benchmarks.md and replace the previous one', false)
  .addHelpText('after', `\nBenchmarks:\n${list()}`)
  .exitOverride()
  .action(run);

async function run(name: string | undefined, flags: Flags): Promise<void> {
  if (name === 'all') return all(flags);
  if (name === 'smoke') return smoke(flags);
  const benchmark = BENCHMARKS.find((one) => one.name === name);
  if (!benchmark)
    return refuse(`${name === undefined ? 'which benchmark?' : `no benchmark ${name}`}\n${list()}`);
  const { log = benchmark.logs[0]!, profile, folder, json, record } = flags;
  if (!benchmark.logs.includes(log))
    return refuse(`${benchmark.name} runs only on ${benchmark.logs.join(' and ')}`);
  if (folder !== undefined && !benchmark.continues) return refuse(`${benchmark.name} keeps no site`);
  const call = { benchmark, log };
  const size = { ...benchmark.defaults, ...sizeOf(flags) };
  const report = await reportOf(call, { ...size, profile, folder }, progress);
  if (record) await recordReport(report, commandOf(call, size), NAMES);
  process.stdout.write(json ? `${JSON.stringify(report.figures, null, 2)}\n` : inWords(report));
}

/** Each report is recorded as soon as it is available: later ones may fail, or be interrupted. */
async function all({ profile, log, folder, json, ...flags }: Flags): Promise<void> {
  if (log !== undefined || folder !== undefined || json)
    return refuse('all runs on every log and prints only text');
  const failed = await runAll(
    BENCHMARKS,
    {
      size: sizeOf(flags),
      profile,
      onReport: async (report, repeating) => {
        await recordReport(report, repeating, NAMES);
        process.stdout.write(inWords(report));
      },
    },
    progress,
  );
  if (failed.length === 0) return;
  process.stderr.write(`failed, and not recorded: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

async function smoke({ profile, log, folder, findings, rounds, json, record }: Flags): Promise<void> {
  if ([log, folder, findings, rounds].some((given) => given !== undefined)) {
    return refuse('smoke has fixed sizes: other sizes have other ratios');
  }
  const before = (await readBook()).smoke?.ratios ?? {};
  const measured = await runSmoke(BENCHMARKS, { recorded: record ? undefined : before, profile }, progress);
  if (record) await recordSmoke(measured);
  const { ratios } = measured;
  const inLines = Object.entries(ratios).map(
    ([name, ratio]) => `${line(name, ratio.toFixed(2))}, recorded ${before[name]?.toFixed(2) ?? 'nothing'}\n`,
  );
  process.stdout.write(json ? `${JSON.stringify({ ratios, before }, null, 2)}\n` : inLines.join(''));
  if (record) return;
  for (const sentence of regressions(ratios, before)) {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = USAGE_EXIT;
}

/** The given options, without the unset ones. */
const sizeOf = ({ findings, rounds }: Partial<Size>): Partial<Size> => ({
  ...(findings !== undefined && { findings }),
  ...(rounds !== undefined && { rounds }),
});

await command.parseAsync().catch((error: Error) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
    return;
  }
  // `inspect` includes the cause: the message of a fetch error states none.
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
});
