import pTimeout from 'p-timeout';
import { counter, registry } from './registry.ts';

/** Timeout of a scrape; a slower source is omitted. */
const SOURCE_MS_MAX = 2_000;

/**
 * Updates gauges; if their source fails, they must not show earlier values. So it removes them first: `reset` sets a
 * gauge without labels to 0.
 */
export type ScrapeSource = () => Promise<void> | void;

const sources = new Map<string, ScrapeSource>();
let answering: Promise<string> | undefined;

const failedSources = counter({
  name: 'posture_scrape_failures_total',
  help: 'Incomplete scrapes, because the source of a metric did not respond',
  labels: ['source'],
});

/**
 * Values that are read at every scrape, instead of pushed when they change.
 * @param name a later source of the same name takes its place: a part that runs twice in a process is reported once
 * @returns ends it
 */
export function atScrape(name: string, source: ScrapeSource): () => void {
  sources.set(name, source);
  failedSources.inc({ source: name }, 0);
  return () => {
    if (sources.get(name) === source) sources.delete(name);
  };
}

export const METRICS_CONTENT_TYPE = registry.contentType;

/** All metrics in the text format of Prometheus. Concurrent calls share one result. */
export function readMetrics(): Promise<string> {
  answering ??= answer().finally(() => {
    answering = undefined;
  });
  return answering;
}

async function answer(): Promise<string> {
  await Promise.all([...sources].map(([name, source]) => ask(name, source)));
  return registry.metrics();
}

async function ask(name: string, source: ScrapeSource): Promise<void> {
  try {
    await pTimeout(Promise.resolve().then(source), { milliseconds: SOURCE_MS_MAX });
  } catch {
    failedSources.inc({ source: name });
  }
}
