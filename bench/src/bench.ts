import 'reflect-metadata';
import { inspect } from 'node:util';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Benchmark, BenchOptions } from './benchmark.ts';
import { consoleTables } from './console/console-tables.ts';
import { fold } from './fold/fold.ts';
import { freshness } from './freshness/freshness.ts';
import { growth } from './growth/growth.ts';
import { ingest } from './ingest/ingest.ts';
import { progressOn } from './progress.ts';
import { record } from './record.ts';
import { inWords } from './report.ts';

const BENCHMARKS: Benchmark[] = [ingest, fold, freshness, growth, consoleTables];
const USAGE_EXIT = 2;

interface Flags {
  findings?: number;
  rounds?: number;
  log?: BenchOptions['log'];
  profile?: string;
  json: boolean;
  record: boolean;
}

const list = () =>
  BENCHMARKS.map(
    ({ name, summary, defaults }) =>
      `  ${name.padEnd(8)} ${summary} (${defaults.findings} findings, ${defaults.rounds} rounds)`,
  ).join('\n');

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('a whole number from 1');
  return number;
}

const command = new Command('npm run bench --')
  .argument('[name]', 'the benchmark')
  .option('--findings <n>', 'new findings in each run', positive)
  .option('--rounds <n>', 'runs of each side', positive)
  .addOption(
    new Option(
      '--log <kind>',
      'of the service, kafka where the benchmark runs there; postgres: the single process of npm start',
    ).choices(['kafka', 'postgres']),
  )
  .option('--profile <folder>', 'write CPU profiles of the programs there')
  .option('--json', 'the result as JSON on standard output', false)
  .option('--record', 'add the result to docs/benchmarks.md', false)
  .addHelpText('after', `\nBenchmarks:\n${list()}`)
  .exitOverride()
  .action(run);

async function run(name: string | undefined, { json, record: isRecorded, ...flags }: Flags): Promise<void> {
  const benchmark = BENCHMARKS.find((one) => one.name === name);
  if (!benchmark) {
    process.stderr.write(`${name === undefined ? 'which benchmark?' : `no benchmark ${name}`}\n${list()}\n`);
    process.exitCode = USAGE_EXIT;
    return;
  }
  const { log = benchmark.logs[0]! } = flags;
  if (!benchmark.logs.includes(log)) {
    process.stderr.write(`${benchmark.name} runs on ${benchmark.logs.join(' and ')} alone\n`);
    process.exitCode = USAGE_EXIT;
    return;
  }
  const report = await benchmark.run({ ...benchmark.defaults, ...flags, log }, progressOn(process.stderr));
  if (isRecorded) await record(report);
  process.stdout.write(json ? `${JSON.stringify(report.figures, null, 2)}\n` : inWords(report));
}

await command.parseAsync().catch((error: Error) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
    return;
  }
  // With its cause: a fetch says of itself only that it has failed.
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
});
