import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, cpus, release as kernel, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type pg from 'pg';
import { ROOT } from './root.ts';

const run = promisify(execFile);
/** As large as a page of PostgreSQL. */
const PAGE = Buffer.alloc(8_192, 1);
const SYNC_MS = 300;
/** Changes of files that benchmarks write do not affect the next measurement. */
const NOT_RECORDS = [':!docs/benchmarks.md', ':!bench/recorded.json'];

/** The machine of a measurement. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  /** Operating system and kernel. */
  system: string;
  node: string;
  postgres: string;
  kafka: string;
  java: string;
  /** Sequential synchronous writes of 8 KB per second. */
  syncsPerSecond: number;
  /** Short id of the commit; `+` if the tree differs from it. */
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
    system: await systemName(),
    node: process.versions.node,
    postgres: rows[0].server_version,
    kafka: await kafkaVersion(),
    java: await javaVersion(),
    syncsPerSecond: await syncsPerSecond(),
    commit: await commit(),
    date: new Date().toISOString(),
  };
}

export const machineInWords = (machine: Machine): string =>
  `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB; ${machine.system}; Node ${machine.node}, ` +
  `PostgreSQL ${machine.postgres}, Kafka ${machine.kafka} on Java ${machine.java}`;

async function systemName(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?(.*?)"?$/m.exec(release)?.[1];
  return `${name === undefined ? '' : `${name}, `}${type()} ${kernel()}`;
}

/** Java writes its version to standard error. */
async function javaVersion(): Promise<string> {
  try {
    const { stderr } = await run('java', ['-version']);
    return /version "([^"]+)"/.exec(stderr)?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Writes for a third of a second to the disk that contains the files of PostgreSQL and Kafka. */
async function syncsPerSecond(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-bench-disk-'));
  const file = await open(join(folder, 'written'), 'w');
  try {
    const began = performance.now();
    let syncs = 0;
    let ms = 0;
    for (; ms < SYNC_MS; ms = performance.now() - began) {
      await file.write(PAGE, 0, PAGE.length, syncs * PAGE.length);
      await file.datasync();
      syncs++;
    }
    return Math.round((syncs / ms) * 1000);
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Read from the name of the broker's jar: the broker does not report its version. */
async function kafkaVersion(): Promise<string> {
  const { brokerJars } = await import(pathToFileURL(`${ROOT}deploy/kafka/jars.mjs`).href);
  for (const jar of await readdir(await brokerJars())) {
    const version = /^kafka_[\d.]+-([\d.]+)\.jar$/.exec(jar)?.[1];
    if (version) return version;
  }
  return 'unknown';
}

async function commit(): Promise<string> {
  try {
    const { stdout: id } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
    const { stdout: changes } = await run('git', ['status', '--porcelain', '--', '.', ...NOT_RECORDS], {
      cwd: ROOT,
    });
    return `${id.trim()}${changes === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
