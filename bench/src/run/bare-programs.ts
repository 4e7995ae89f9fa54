import type { BenchSite } from './bench-site.ts';
import type { ChildProgram } from './child-program.ts';

export interface WriterOptions {
  topic: string;
  databaseUrl: string;
  /** The content of the topic: signals as the bare producer sends them, or events of the intake log. */
  records: 'signals' | 'events';
}

/** Starts the writer, which consumes immediately. */
export function startWriter(
  site: BenchSite,
  { topic, databaseUrl, records }: WriterOptions,
): Promise<ChildProgram> {
  return site.start({
    name: 'bare writer',
    script: 'bench/src/baseline/write-rows.js',
    env: {
      BENCH_BROKERS: site.brokers,
      BENCH_DATABASE: databaseUrl,
      BENCH_TOPIC: topic,
      BENCH_RECORDS: records,
    },
    ready: /Writer ready/,
  });
}

/** Starts the producer. Each line of its input is a JSON list of paths of ZIPs to produce. */
export function startProducer(site: BenchSite, topic: string): Promise<ChildProgram> {
  return site.start({
    name: 'bare producer',
    script: 'bench/src/baseline/produce-zips.js',
    env: { BENCH_BROKERS: site.brokers, BENCH_TOPIC: topic },
    ready: /Producer ready/,
  });
}
