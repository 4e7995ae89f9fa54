import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';

/** What a run of `posture verify` that came to its end has found. */
export interface VerifyOutcome {
  /** Compared. */
  rows: number;
  differing: number;
  /** Epoch milliseconds. */
  finishedAt: number;
}

/** For the textfile collector of node_exporter (docs/observing.md): readers see the whole file, old or new. */
export async function writeVerifyMetrics(file: string, outcome: VerifyOutcome): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    await writeFile(unfinished, await textOf(outcome));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function textOf({ rows, differing, finishedAt }: VerifyOutcome): Promise<string> {
  const registry = new Registry();
  const tell = (name: string, help: string, value: number) =>
    new Gauge({ name, help, registers: [registry] }).set(value);
  tell(
    'posture_verify_finished_timestamp_seconds',
    'When the last posture verify that came to its end did',
    finishedAt / 1000,
  );
  tell('posture_verify_compared_rows', 'Rows that it compared', rows);
  tell('posture_verify_differing_rows', 'Rows that differ from what the log says', differing);
  return registry.metrics();
}
