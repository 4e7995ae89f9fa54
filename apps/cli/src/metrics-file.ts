import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';

/** Something that a command tells of its last run, in the words of docs/observing.md. */
export interface ToldGauge {
  name: string;
  help: string;
  value: number;
}

/** For the textfile collector of node_exporter: readers see the whole file, old or new. */
export async function writeMetricsFile(file: string, gauges: ToldGauge[]): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    await writeFile(unfinished, await textOf(gauges));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function textOf(gauges: ToldGauge[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, value } of gauges) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.metrics();
}
