import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { posture2 } from '#libs/domain';
import { RetryLaterException } from '../http/http-errors.ts';

const WAITING_MAX = 4;
const RETRY_SECONDS = 10;
/** Of one request, from its first simulation on: what it reads before takes longer the larger the site is. */
const TIME_MS_MAX = 60_000;
/** The process answers other requests after this time. */
const SLICE_MS = 20;
const RESULTS_MAX = 100;
/** As many as some requests take; each has at most 10,000 numbers. */
const SIMULATIONS_MAX = 100;

/** One computation of amounts at a time in this process; the last simulations and results are kept. */
@Injectable()
export class LossSlot {
  private readonly limit = pLimit(1);
  private readonly results = new LRUCache<string, object>({ max: RESULTS_MAX });
  private readonly simulated = new LRUCache<string, readonly number[]>({ max: SIMULATIONS_MAX });

  known<Result extends object>(key: string): Result | undefined {
    return this.results.get(key) as Result | undefined;
  }

  /** @param key of all that the result follows from */
  keep<Result extends object>(key: string, result: Result): Result {
    this.results.set(key, result);
    return result;
  }

  /**
   * Repeated work continues with the first simulation that had not ended.
   * @throws RetryLaterException (429) if as many as may wait already, or if its simulations take too long
   */
  async run<Result>(work: (simulate: Simulate) => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount >= WAITING_MAX) throw new RetryLaterException(RETRY_SECONDS, 'score_queue');
    return this.limit(() => {
      let until: number | undefined;
      return work(async (key, ...given) => {
        const known = this.simulated.get(key);
        if (known) return known;
        until ??= performance.now() + TIME_MS_MAX;
        const losses = await simulate(...given, until);
        this.simulated.set(key, losses);
        return losses;
      });
    });
  }
}

/** As `posture2.simulateYears`, between other requests. @param key of all that the years follow from */
export type Simulate = (
  key: string,
  assets: readonly posture2.LossAsset[],
  seed: bigint,
  years: number,
) => Promise<readonly number[]>;

async function simulate(
  assets: readonly posture2.LossAsset[],
  seed: bigint,
  years: number,
  until: number,
): Promise<number[]> {
  const simulation = new posture2.LossSimulation(assets, seed);
  const losses: number[] = [];
  for (let sliceEnd = 0; losses.length < years; ) {
    if (performance.now() > sliceEnd) {
      await setImmediate();
      if (performance.now() > until) throw new RetryLaterException(RETRY_SECONDS, 'score_queue');
      sliceEnd = performance.now() + SLICE_MS;
    }
    losses.push(simulation.nextYear());
  }
  return losses;
}
