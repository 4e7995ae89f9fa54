// npm run mutants: makes one small change to the code at a time (a mutant) and runs the tests that reach it. A mutant
// survives if no test fails: no test checks that behaviour, or the code has no effect. See docs/testing.md, "Mutants".
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { summaryOf } from './mutants/summary.mjs';

const USAGE = `npm run mutants -- [domain | projection | event-log] [--files GLOB]… [--specs TEXT]… [--fraction F] [--seed N]
  --files     mutate only these files; FILE.ts:10-20 selects lines
  --specs     run only spec files whose path contains TEXT
  --fraction  try a random part of the mutants: 0.1 is a tenth (default 1)
  --seed      selects the mutants of the fraction and the runs of properties (default 1)
  --loading   also mutate code that runs while a module loads, such as tables; slow
  --workers   number of processes (default 1)`;

/** `remembered`: files whose results are cached between calls. Their mutants need fresh modules before and after. */
const PARTS = {
  domain: {
    files: ['libs/domain/src/{fold,signal,scoring}/**'],
    specs: ['libs/domain/src'],
    remembered: ['cvss-score.ts', 'cvss-vector.ts', 'cvss2-score.ts', 'finding-severity.ts', 'os-mapping.ts'],
  },
  projection: {
    files: ['libs/{fold,projection}/src/**', 'libs/tables/src/fold-state/**'],
    specs: ['libs/fold/src', 'libs/projection/src', 'libs/tables/src'],
    asksDatabase: true,
  },
  // Without the code that only tests with a Kafka broker reach, because these tests take minutes.
  'event-log': {
    files: [
      'libs/event-log/src/*.ts',
      'libs/event-log/src/{nest,postgres}/**',
      'libs/event-log/src/kafka/{client-error,committed-records,even-shares,partition-feed,take-batch}.ts',
    ],
    specs: ['libs/event-log/src'],
    leavesOut: /kafka-|topics/,
    asksDatabase: true,
  },
};
/** Test code. */
const NO_PRODUCT = ['!**/*.spec.ts'];
const FOLDER = '.mutants';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', multiple: true },
    specs: { type: 'string', multiple: true },
    fraction: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    loading: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [name = 'domain'] = positionals;
const part = PARTS[name];
if (values.help) stopWith(0, USAGE);
if (!part || positionals.length > 1) stopWith(2, `unknown part: ${positionals.join(' ')}\n${USAGE}`);
const [fraction, seed, workers] = [values.fraction, values.seed, values.workers].map(Number);
if (!(fraction > 0 && fraction <= 1)) stopWith(2, `--fraction must be above 0 and at most 1\n${USAGE}`);
if (!Number.isInteger(seed) || !Number.isInteger(workers) || workers < 1)
  stopWith(2, `--seed and --workers must be integers\n${USAGE}`);

function stopWith(code, text) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

const specs = part.specs
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith('.spec.ts'))
  .filter((path) => !part.leavesOut?.test(path))
  .filter((path) => !values.specs || values.specs.some((text) => path.includes(text)))
  .sort();

const survivors = `${FOLDER}/${name}-survivors.txt`;
mkdirSync(FOLDER, { recursive: true });
const stop = part.asksDatabase ? await startDatabase() : async () => {};
try {
  await new Stryker({
    mutate: [...(values.files ?? part.files), ...NO_PRODUCT],
    testRunner: 'specs',
    checkers: fraction < 1 ? ['sample'] : [],
    plugins: ['./scripts/mutants/plugins.mjs'],
    mutants: { specs, seed, fraction, survivors, remembered: part.remembered ?? [] },
    coverageAnalysis: 'perTest',
    ignoreStatic: !values.loading,
    testRunnerNodeArgs: ['--conditions=source', '--import=./test/support/native/typescript.mjs'],
    concurrency: workers,
    // Ends a mutant that waits for ever. Stryker ends one that loops by the number of its runs.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 20,
    ignorePatterns: ['dist', 'bench', 'client', 'biome.json', FOLDER],
    reporters: ['progress-append-only', 'json', 'survivors'],
    jsonReporter: { fileName: `${FOLDER}/${name}.json` },
    tempDirName: `${FOLDER}/sandbox`,
    allowConsoleColors: false,
  }).runMutationTest();
} finally {
  await stop();
}
const report = JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8'));
console.log(`${summaryOf(report)}\nseed ${seed}; survivors: ${survivors}`);

/** Starts one PostgreSQL for all mutants, as Jest's global setup does. */
async function startDatabase() {
  const [setup, teardown] = await Promise.all(
    ['setup', 'teardown'].map((which) => import(`../test/support/global-${which}.ts`)),
  );
  await setup.default();
  return teardown.default;
}
