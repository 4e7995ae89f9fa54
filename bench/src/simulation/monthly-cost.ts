import type { SimulatedSite } from './simulated-site.ts';

/**
 * US dollars, on demand, us-east-1: Graviton machines of the family m7g (half of m7g.large, 17 June 2026) and volumes of
 * the kind gp3 without its charge for more than 3,000 pages a second. docs/scaling.md names the sources.
 */
const PRICES = { coreHour: 0.0408, gigabyteMonth: 0.08 };
const HOURS = 730;
const GB = 1e9;

/** Bytes of a record, of one copy (docs/operating.md, capacity). */
const LOG_BYTES = 1_300;
const FINDING_BYTES = 6_100;
const CHANGE_BYTES = 2_600;
/** The log is archived weekly, so that brokers have room for three times as much. */
const LOG_DAYS = 21;
const LOG_COPIES = 3;
/** The primary and one that stands by. */
const DATABASES = 2;

export interface CostLine {
  what: string;
  amount: string;
  dollars: number;
}

/** What a site costs in a month, in its first year: history of half a year. */
export function monthlyCost(site: SimulatedSite): CostLine[] {
  const day = (site.findings / site.resentDays) * LOG_BYTES;
  const log = (day * LOG_DAYS * LOG_COPIES) / GB;
  const changes = (site.findings / site.resentDays) * site.changedShare * 182;
  const database = ((site.findings * FINDING_BYTES + changes * CHANGE_BYTES) * DATABASES) / GB;
  const cores = (what: string, count: number): CostLine => ({
    what,
    amount: `${count.toLocaleString('en')} cores`,
    dollars: count * PRICES.coreHour * HOURS,
  });
  const disk = (what: string, gigabytes: number): CostLine => ({
    what,
    amount: `${(gigabytes / 1_000).toFixed(1)} TB`,
    dollars: gigabytes * PRICES.gigabyteMonth,
  });
  return [
    cores(`${site.gateways} gateways`, site.gateways),
    cores(`${site.projectors} projectors`, site.projectors),
    cores(`${site.scorers} scorers`, site.scorers),
    cores(`${site.brokers} brokers`, site.brokers * site.brokerCores),
    cores('PostgreSQL, primary and standby', site.postgresCores * DATABASES),
    disk(`log, ${LOG_COPIES} copies of ${LOG_DAYS} days`, log),
    disk('database, two copies', database),
  ];
}
