import { median, percentile } from '../statistics.ts';
import { type CostLine, monthlyCost } from './monthly-cost.ts';
import type { ServiceTimes } from './service-times.ts';
import { type Simulated, simulate } from './simulate.ts';
import { busyRate, type SimulatedSite } from './simulated-site.ts';

const HOURS = 2;
/** The second hour of five, so that the site is in its usual state before it. */
const OUTAGE = { from: 1, to: 2 };
const OUTAGE_HOURS = 5;
/** More than the outage takes: every upload is accepted. */
const LONG_LAG_SECONDS = 2 * 3_600;

/** The simulation of a site in a text: usual hours, an outage with and without refusals, and the cost. */
export function simulationReport(site: SimulatedSite, times: ServiceTimes, seed: string): string {
  const usual = simulate(site, times, { seed, hours: HOURS });
  const outage = { seed, hours: OUTAGE_HOURS, outage: OUTAGE };
  const refusing = simulate(site, times, outage);
  const accepting = simulate({ ...site, maxLagSeconds: LONG_LAG_SECONDS }, times, outage);
  return [
    `${count(site.assets)} assets, ${count(site.findings)} findings, each sent again in ${site.resentDays} d, ${percent(site.changedShare)} of them changed`,
    `${count(busyRate(site))} records a second in the busy hours`,
    '',
    `Busy hours (${HOURS} h simulated, ${count(usual.uploads)} ZIPs, ${count(usual.records)} records)`,
    ...Object.entries(usual.use).map(([name, share]) => row(name, `${percent(share)} busy`)),
    ...delayRows(usual),
    '',
    'No projector runs for an hour',
    ...outageRows(`with maxLagSeconds ${site.maxLagSeconds}`, refusing),
    ...outageRows(`with maxLagSeconds ${LONG_LAG_SECONDS}`, accepting),
    '',
    'Cost a month',
    ...costRows(monthlyCost(site)),
    '',
  ].join('\n');
}

const delayRows = ({ delays }: Simulated): string[] =>
  Object.entries(delays).map(([name, seconds]) =>
    row(`${name} p50, p99`, `${ms(median(seconds))}, ${ms(percentile(seconds, 99))}`),
  );

function outageRows(title: string, { refused, backlogMax, lagMax, recovery }: Simulated): string[] {
  const { accepted, current, whole } = recovery!;
  return [
    `  ${title}`,
    row('  answers with 429', count(refused)),
    row('  records in the log that wait', `${count(backlogMax)} at most`),
    row('  lag', `${duration(lagMax)} at most`),
    row('  last 429 after the outage', duration(accepted)),
    row('  lag below a minute after', duration(current)),
    row('  all of the outage queryable after', duration(whole)),
  ];
}

const costRows = (lines: CostLine[]): string[] => [
  ...lines.map(({ what, amount, dollars }) => row(what, `${dollarsText(dollars)} for ${amount}`)),
  row('together', dollarsText(lines.reduce((sum, { dollars }) => sum + dollars, 0))),
];

const row = (name: string, value: string): string => `  ${name.padEnd(38)} ${value}`;
const count = (number: number): string => Math.round(number).toLocaleString('en');
const percent = (share: number): string =>
  `${(100 * share).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
const ms = (seconds: number): string => `${count(1_000 * seconds)} ms`;
const duration = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
const dollarsText = (dollars: number): string => `$${count(dollars)}`;
