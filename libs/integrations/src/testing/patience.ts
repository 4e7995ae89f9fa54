import type { Patience } from '../requests/vendor-requests.ts';

/** Time that passes only by waiting, so that tests need none; jitter always at its bound. */
export class TestPatience implements Patience {
  readonly sleeps: number[] = [];

  constructor(public now = Date.parse('2026-03-01T12:00:00.000Z')) {}

  clock = (): number => this.now;
  random = (): number => 1;

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.now += ms;
  };
}
