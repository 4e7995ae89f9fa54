import { expect, it } from '@jest/globals';
import { describeOwnKafka } from '../support/kafka.ts';
import { isLongRun } from '../support/long-run.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { expectWhole } from './checks.ts';
import type { Fault } from './fault.ts';
import { FAULTS, LEFT_OUT, leadersOf } from './faults.ts';
import { Load } from './load.ts';
import { Site } from './site.ts';

/** Rounds of each cluster; `npm run test:faults` asks for more. Three brokers cost as much as all other faults. */
const ROUNDS = { 1: Number(process.env.FAULT_ROUNDS ?? 2), 3: Number(process.env.FAULT_ROUNDS ?? 1) };
/** Printed, so that a run can be repeated: the same faults in the same order after as many uploads. */
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const RECOVERY_MS_MAX = 120_000;
const ROUND_MS_MAX = 300_000;
/** At most, between a recovery and the next fault. */
const UPLOADS_BEFORE_FAULT_MAX = 20;
/** At most, answered or not, while something is down. */
const ATTEMPTS_MEANWHILE_MAX = 12;
const UPLOADS_OF_RECOVERY = 6;
/** At most, up to a recovery and after it: as fast as the site takes them, and enough to be in progress at the fault. */
const UPLOADS_AT_ONCE = 200;

const BEGUN = performance.now();
/** With the seconds since then, to show slow steps. */
const printLine = (line: string) =>
  process.stderr.write(`  ${((performance.now() - BEGUN) / 1_000).toFixed(0)} s: ${line}\n`);

/** Park and Miller's: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Faults in random order; each occurs once before any is repeated. The first one is a broker's. */
function* faults(random: () => number): Generator<Fault> {
  const [first, ...others] = FAULTS;
  yield first!;
  for (let left = others; ; left = [...FAULTS]) {
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0]!;
  }
}

const more = (count: () => number, by: number): (() => boolean) => {
  const goal = count() + by;
  return () => count() >= goal;
};

/** Takes turns with the faults of the inbox. The load of one broker also reports users and erases them. */
describeFaults(1, 'erases');
if (isLongRun || process.env.FAULT_ROUNDS) describeFaults(3);

function describeFaults(nodes: 1 | 3, erases?: 'erases'): void {
  const isSealed = erases !== undefined;
  describeInRun(
    { shares: 2, turn: 0, as: describeOwnKafka },
    `kill -9, pauses and wrong clocks of any process at random moments under load, ${nodes} broker(s)`,
    () => {
      it(
        `loses nothing that was acknowledged, folds and publishes everything once, ${isSealed ? 'completes each erasure, ' : ''}and needs no hand`,
        async () => {
          printLine(`${nodes} broker(s), ${ROUNDS[nodes]} rounds, FAULT_SEED=${SEED}`);
          for (const line of LEFT_OUT) printLine(line);
          const random = randomFrom(SEED + nodes);
          const site = await Site.start(nodes, isSealed);
          let load: Load | undefined;
          try {
            load = await Load.start(site.url, isSealed);
            const moves = await rounds(ROUNDS[nodes], site, load, random);
            await load.stop();
            expect(load.refusals).toEqual([]);
            expect(load.erased.length > 0).toBe(isSealed);
            expect(load.withoutRetryAfter).toEqual([]);
            expect(moves > 0).toBe(nodes > 1);
            // Without its only broker an upload is refused in words, never acknowledged.
            if (nodes === 1) expect(load.answers.get(503)).toBeGreaterThan(0);
            printLine('load ended');
            await expectWhole(site, load);
            printLine(`whole: ${summary(load)}; leaders moved ${moves} times`);
            expect(await site.stop()).toEqual([0, 0, 0, 0]);
          } catch (error) {
            printLine(site.logs());
            throw error;
          } finally {
            await load?.abandon();
            await site.stop();
          }
        },
        60_000 + ROUNDS[nodes] * ROUND_MS_MAX,
      );
    },
  );
}

/** Returns how often a partition of the intake got another leader. */
async function rounds(count: number, site: Site, load: Load, random: () => number): Promise<number> {
  const order = faults(random);
  let leaders = await leadersOf(site);
  let moves = 0;
  for (let n = 1; n <= count; n += 1) {
    const fault = order.next().value as Fault;
    for (const now of await round(site, load, fault, random)) {
      moves += now.filter((leader, partition) => leader !== leaders[partition]).length;
      leaders = now;
    }
    printLine(`round ${n}: ${fault.name}; ${summary(load)}`);
  }
  return moves;
}

/** Returns the leaders of the intake without the killed broker, if they could be queried, and after its return. */
async function round(site: Site, load: Load, fault: Fault, random: () => number): Promise<number[][]> {
  const upTo = (max: number) => 1 + Math.floor(random() * max);
  const acknowledged = () => load.acknowledged.length;
  load.sendOn(UPLOADS_AT_ONCE);
  await until('uploads', more(acknowledged, upTo(UPLOADS_BEFORE_FAULT_MAX)), RECOVERY_MS_MAX);
  const restart = await fault.strike(site, random);
  // During a pause the load may have reached its limit.
  load.sendOn(UPLOADS_AT_ONCE);
  const isEnough = fault.meanwhile?.(site, load) ?? (() => true);
  const attempted = more(() => load.attempts, upTo(ATTEMPTS_MEANWHILE_MAX));
  await until(`uploads without ${fault.name}`, () => attempted() && isEnough(), RECOVERY_MS_MAX);
  const without = fault.meanwhile ? await leadersOf(site).catch(() => []) : [];
  await restart();
  load.sendOn(UPLOADS_AT_ONCE);
  await until(`uploads after ${fault.name}`, more(acknowledged, UPLOADS_OF_RECOVERY), RECOVERY_MS_MAX);
  expect(site.ended()).toEqual([]);
  const after = await leadersOf(site);
  return without.length > 0 ? [without, after] : [after];
}

const summary = ({ acknowledged, unknown, erased, answers }: Load): string =>
  `${acknowledged.length} uploads acknowledged, ${erased.length} users erased, ${unknown.length} signals given up; answers ${[
    ...answers,
  ]
    .map(([status, count]) => `${status || 'none'}: ${count}`)
    .join(', ')}`;
