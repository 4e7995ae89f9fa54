import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of this process, of all programs in it (docs/observing.md). */
export const registry = new Registry();

/** The name and the help text of a metric, as in docs/observing.md. */
interface Named {
  /** `posture_…`, with its unit last; `_total` if it only grows. */
  name: string;
  help: string;
}

/** Label values are of a set that is bounded: never an id, a name or an address. */
interface Labelled<L extends string> extends Named {
  labels?: readonly L[];
}

interface Distributed<L extends string> extends Labelled<L> {
  /** Upper bounds, rising. */
  buckets: number[];
}

export const counter = <L extends string = never>({ name, help, labels = [] }: Labelled<L>): Counter<L> =>
  new Counter({ name, help, labelNames: labels, registers: [registry] });

export const gauge = <L extends string = never>({ name, help, labels = [] }: Labelled<L>): Gauge<L> =>
  new Gauge({ name, help, labelNames: labels, registers: [registry] });

export const histogram = <L extends string = never>({
  name,
  help,
  labels = [],
  buckets,
}: Distributed<L>): Histogram<L> =>
  new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] });

/** Seconds of something that mostly takes milliseconds. */
export const SHORT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
