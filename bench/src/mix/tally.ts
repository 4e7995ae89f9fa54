import { median, percentile } from '../statistics.ts';

const BUSY = 429;
const OK = 200;
const ERRORS_KEPT = 10;

export interface Latency {
  kind: string;
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Counts of responses, by kind of request. */
export class Tally {
  private readonly ms = new Map<string, number[]>();
  private readonly busyByKind = new Map<string, number>();
  private errorCount = 0;
  /** Messages of the first `ERRORS_KEPT` errors. */
  readonly errors: string[] = [];

  /** Returns whether it was a 200. */
  answered(kind: string, status: number, what: string): boolean {
    if (status === BUSY) this.busyByKind.set(kind, (this.busyByKind.get(kind) ?? 0) + 1);
    else if (status !== OK) this.failed(`${kind}: ${what} answered ${status}`);
    return status === OK;
  }

  took(kind: string, ms: number): void {
    const all = this.ms.get(kind);
    if (all) all.push(ms);
    else this.ms.set(kind, [ms]);
  }

  failed(what: string): void {
    this.errorCount++;
    if (this.errors.length < ERRORS_KEPT) this.errors.push(what);
  }

  get failures(): number {
    return this.errorCount;
  }

  /** Number of 429s. They are no errors: clients wait and retry. */
  get busy(): number {
    return [...this.busyByKind.values()].reduce((sum, count) => sum + count, 0);
  }

  /** By name of the kind. */
  get latencies(): Latency[] {
    return [...this.ms]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, ms]) => ({
        kind,
        count: ms.length,
        p50: median(ms),
        p99: percentile(ms, 99),
        max: Math.max(...ms),
      }));
  }
}
