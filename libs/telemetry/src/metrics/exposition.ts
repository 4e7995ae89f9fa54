import pTimeout from 'p-timeout';
import { counter, registry } from './registry.ts';

/** What a scrape waits for at most; a source that takes longer is left out of it. */
const SOURCE_MS_MAX = 2_000;

/**
 * Sets gauges anew; those of a source that cannot know must not show what was before. So it removes them first: `reset`
 * makes a gauge without labels 0.
 */
export type ScrapeSource = () => Promise<void> | void;

const sources = new Map<string, ScrapeSource>();
let answering: Promise<string> | undefined;

const failedSources = counter({
  name: 'posture_scrape_failures_total',
  help: 'Scrapes that left something out, because what it is read from did not answer',
  labels: ['source'],
});

/**
 * What is asked at every scrape, rather than told when it changes.
 * @param name a later source of the same name takes its place: what runs twice in a process is told once
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

/** All metrics in the text format of Prometheus; those who ask at once share an answer. */
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
