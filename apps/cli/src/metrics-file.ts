import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import { usageError } from './cli-error.ts';

/** A metric of the last run of a command (docs/observing.md). */
export interface GaugeValue {
  name: string;
  help: string;
  value: number;
}

/**
 * For the textfile collector of node_exporter: readers see the whole file, old or new.
 * @throws CliError exit 2 if it cannot be written
 */
export async function writeMetricsFile(file: string, gauges: GaugeValue[]): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  const text = await textOf(gauges);
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw usageError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function textOf(gauges: GaugeValue[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, value } of gauges) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.metrics();
}
