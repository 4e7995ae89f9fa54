import { Command, InvalidArgumentError, Option } from 'commander';
import { readBook } from './record/record.ts';
import { serviceTimesOf } from './simulation/service-times.ts';
import { LARGE_SITE, type SimulatedSite } from './simulation/simulated-site.ts';
import { simulationReport } from './simulation/simulation-report.ts';

const MAX: Record<keyof SimulatedSite, number> = {
  assets: 1e9,
  findings: 1e10,
  resentDays: 365,
  changedShare: 1,
  partitions: 10_000,
  gateways: 10_000,
  projectors: 10_000,
  scorers: 10_000,
  brokers: 1_000,
  brokerCores: 1_000,
  postgresCores: 10_000,
  diskPagesPerSecond: 1e8,
  pageSeconds: 10,
  maxLagSeconds: 1e6,
};
/** All other options are whole numbers. */
const FRACTIONS: ReadonlySet<string> = new Set(['resentDays', 'changedShare', 'pageSeconds']);

function numberOf(name: keyof SimulatedSite, text: string): number {
  const number = Number(text);
  const isFraction = FRACTIONS.has(name);
  if (number > 0 && number <= MAX[name] && (isFraction || Number.isInteger(number))) return number;
  throw new InvalidArgumentError(
    `${isFraction ? 'a number' : 'a whole number'} above 0, at most ${MAX[name]}`,
  );
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const command = new Command('npm run simulate --').description(
  'Simulates the queues of a large site from the recorded service times, and computes its cost (docs/scaling.md)',
);
for (const name of Object.keys(LARGE_SITE) as (keyof SimulatedSite)[]) {
  command.addOption(
    new Option(`--${kebab(name)} <number>`)
      .argParser((text) => numberOf(name, text))
      .default(LARGE_SITE[name]),
  );
}
command.option('--seed <text>', 'seed of chance', '1').action(async ({ seed, ...site }) => {
  const times = serviceTimesOf(await readBook());
  process.stdout.write(simulationReport(site as SimulatedSite, times, seed));
});
await command.parseAsync();
