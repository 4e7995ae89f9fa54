import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type pg from 'pg';
import { ROOT } from './root.ts';

const run = promisify(execFile);

/** What a figure was measured on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  postgres: string;
  kafka: string;
  /** Short id of the commit; `+` where the tree differs from it. */
  commit: string;
  /** ISO 8601, UTC. */
  date: string;
}

export async function describeMachine(pool: pg.Pool): Promise<Machine> {
  const { rows } = await pool.query('show server_version');
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    postgres: rows[0].server_version,
    kafka: await kafkaVersion(),
    commit: await commit(),
    date: new Date().toISOString(),
  };
}

export const machineInWords = (machine: Machine): string =>
  `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB; Node ${machine.node}, ` +
  `PostgreSQL ${machine.postgres}, Kafka ${machine.kafka}`;

/** The broker says its version to nobody; the name of its jar does. */
async function kafkaVersion(): Promise<string> {
  const cache = `${ROOT}node_modules/.cache`;
  const folders = (await readdir(cache)).filter((name) => name.startsWith('kafka-'));
  for (const folder of folders) {
    for (const jar of await readdir(`${cache}/${folder}`)) {
      const version = /^kafka_[\d.]+-([\d.]+)\.jar$/.exec(jar)?.[1];
      if (version) return version;
    }
  }
  return 'unknown';
}

async function commit(): Promise<string> {
  try {
    const { stdout: id } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
    const { stdout: changes } = await run('git', ['status', '--porcelain'], { cwd: ROOT });
    return `${id.trim()}${changes === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
