import { describe, expect, it } from '@jest/globals';
import { createRandom } from '#libs/sample-data';
import { readBook } from '../record/record.ts';
import { Clock } from './clock.ts';
import { monthlyCost } from './monthly-cost.ts';
import { serviceTimesOf } from './service-times.ts';
import { simulate } from './simulate.ts';
import { busyRate, LARGE_SITE, type SimulatedSite } from './simulated-site.ts';
import { simulationReport } from './simulation-report.ts';
import { Station } from './station.ts';

/** A hundredth of the large site. */
const SITE: SimulatedSite = {
  ...LARGE_SITE,
  ...{ assets: 5_000, findings: 5_000_000, partitions: 12, gateways: 4, projectors: 4, scorers: 2 },
  ...{ brokers: 3, postgresCores: 4, diskPagesPerSecond: 6_400 },
};
const times = serviceTimesOf(await readBook());

/** Within a tenth. */
function expectAbout(value: number, expected: number): void {
  expect(value).toBeGreaterThan(0.9 * expected);
  expect(value).toBeLessThan(1.1 * expected);
}

describe('a station', () => {
  /** Mean seconds in the queue of one server with constant service, by Pollaczek and Khinchine. */
  const meanWait = (load: number, service: number) => (load * service) / (2 * (1 - load));

  it.each([0.3, 0.7, 0.9])('has the waiting times of queueing theory at a load of %d', (load) => {
    const clock = new Clock();
    const station = new Station(clock, 1);
    const random = createRandom(`load ${load}`);
    const ARRIVALS = 300_000;
    let [arrived, waited] = [0, 0];
    const arrive = () => {
      const at = clock.now;
      station.serve(1, () => {
        waited += clock.now - at - 1;
      });
      if (++arrived < ARRIVALS) clock.after(-Math.log(1 - random.next()) / load, arrive);
    };
    arrive();
    clock.run();
    expectAbout(waited / ARRIVALS, meanWait(load, 1));
    expect(station.busySeconds).toBe(ARRIVALS);
  });

  it('lets as many work at once as it has servers, first come, first served', () => {
    const clock = new Clock();
    const station = new Station(clock, 2);
    const done: [string, number][] = [];
    for (const name of ['a', 'b', 'c', 'd']) station.serve(1, () => done.push([name, clock.now]));
    clock.run();
    expect(done).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', 2],
    ]);
  });
});

describe('the simulation', () => {
  it('is the same for the same seed, and another for another one', () => {
    const run = (seed: string) => simulate(SITE, times, { seed, hours: 0.1 });
    expect(run('1')).toEqual(run('1'));
    expect(run('2').uploads).not.toBe(run('1').uploads);
  });

  it('sends what the site sends, and loses nothing', () => {
    const { uploads, records, delays } = simulate(SITE, times, { seed: '1', hours: 20 });
    expectAbout(records, busyRate(SITE) * 72_000);
    for (const list of Object.values(delays)) expect(list).toHaveLength(uploads);
    const [answered, queryable] = [delays.answered, delays.queryable].map((list) =>
      list.toSorted((a, b) => a - b),
    );
    expect(queryable!.every((seconds, i) => seconds >= answered![i]!)).toBe(true);
  });

  it('keeps each kind of server busy for the work that it has', () => {
    const { records, use } = simulate(SITE, times, { seed: '1', hours: 2 });
    const changed = records * SITE.changedShare;
    const work = changed * times.changed.postgres + (records - changed) * times.unchanged.postgres;
    expectAbout(use.postgres * 7_200 * SITE.postgresCores, work);
  });

  const OUTAGE = { seed: '1', hours: 3, outage: { from: 1, to: 2 } };

  it('after an outage folds what waited as fast as the slowest server allows', () => {
    const site = { ...SITE, maxLagSeconds: 7_200 };
    const { backlogMax, lagMax, refused, recovery } = simulate(site, times, OUTAGE);
    expect(refused).toBe(0);
    expectAbout(backlogMax, busyRate(site) * 3_600);
    expect(lagMax).toBeGreaterThan(3_500);
    const pages = backlogMax * (0.5 / 8 + site.changedShare * ((2.1 + 5.3) / 8 + 3));
    expect(recovery!.whole).toBeGreaterThan(pages / site.diskPagesPerSecond);
    expect(recovery!.whole).toBeLessThan(3 * (pages / site.diskPagesPerSecond));
  });

  it('during an outage refuses what comes after the bound of the lag, and folds it later', () => {
    const { backlogMax, refused, recovery } = simulate(SITE, times, OUTAGE);
    expect(refused).toBeGreaterThan(0);
    expect(backlogMax).toBeLessThan(busyRate(SITE) * 600);
    expect(recovery!.accepted).toBeGreaterThan(0);
    expect(recovery!.whole).toBeGreaterThanOrEqual(recovery!.accepted);
  });

  it('has no end to its queue where the work is more than the servers can do', () => {
    const slow = { ...SITE, diskPagesPerSecond: 5, pageSeconds: 0.2 };
    const usual = simulate(SITE, times, { seed: '1', hours: 0.5 });
    const late = simulate(slow, times, { seed: '1', hours: 0.5 });
    expect(late.lagMax).toBeGreaterThan(100 * usual.lagMax);
    expect(late.refused).toBeGreaterThan(0);
  });
});

it('the cost counts each machine and copy', () => {
  const lines = monthlyCost(LARGE_SITE);
  const of = (what: string) => lines.find((line) => line.what.startsWith(what))!.dollars;
  expect(of('100 gateways')).toBeCloseTo(100 * 0.0408 * 730, 6);
  // 650 GB a day, 21 days, three copies.
  expect(of('log')).toBeCloseTo(650 * 21 * 3 * 0.08, 6);
});

it('the report has every part', () => {
  const text = simulationReport({ ...SITE, findings: 500_000 }, times, '1');
  for (const part of ['Busy hours', 'No projector runs', 'Cost a month', 'together'])
    expect(text).toContain(part);
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
});

it('service times are those of the book, and a missing one is an error', async () => {
  expect(times.changed.gateway).toBeGreaterThan(0);
  expect(times.unchanged.projector).toBeLessThan(times.changed.projector);
  const { benchmarks } = await readBook();
  const { growth: _, ...others } = benchmarks;
  expect(() => serviceTimesOf({ benchmarks: others })).toThrow(
    'bench/recorded.json has no "new: CPU of gateway" of growth',
  );
});
