import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import { usageError } from './cli-error.ts';

/** Something that a command tells of its last run, in the words of docs/observing.md. */
export interface ToldGauge {
  name: string;
  help: string;
  value: number;
}

/**
 * For the textfile collector of node_exporter: readers see the whole file, old or new.
 * @throws CliError exit 2 where it cannot be written
 */
export async function writeMetricsFile(file: string, gauges: ToldGauge[]): Promise<void> {
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

function textOf(gauges: ToldGauge[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, value } of gauges) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.metrics();
}
