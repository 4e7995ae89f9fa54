import type { Database } from '#libs/database';
import { INTAKE_TOPIC } from '#libs/intake';
import { PROJECTORS } from '#libs/program';
import type { RecordChunk } from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import type { SideRun } from '../benchmark.ts';
import { appendChunks, PARTITIONS } from '../fold/fill-intake.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { watchMachine } from '../run/machine-use.ts';
import { watchProcesses } from '../run/process-use.ts';
import { foldedRecords, isPublished } from '../run/projection.ts';
import { SERVICE_TOPICS, serviceEnv, startApps } from '../run/service.ts';
import { until } from '../run/until.ts';
import type { Busy } from './limit.ts';

/** Name of a projector in `SideRun.processes`, followed by its number. */
const PROJECTOR = 'projector';

export interface ProjectorsRun extends SideRun {
  projectors: number;
  busy: Busy;
}

/**
 * Lets `projectors` projectors fold the same events. They join while the log is empty; when each has its share of the
 * partitions, the log is filled. A lock stops the first batches after decoding. The clock starts when the lock is
 * released, so it measures only the fold of a full log.
 */
export async function foldBy(
  site: BenchSite,
  packed: { findings: number; chunks: RecordChunk[] },
  { projectors, round }: { projectors: number; round: number },
): Promise<ProjectorsRun> {
  await site.topics.delete(SERVICE_TOPICS);
  const { url, database, drop } = await site.newDatabase(`scaling_${projectors}_${round}`);
  const env = serviceEnv(site, url, 'kafka');
  const programs = await startApps(
    site,
    Array.from({ length: projectors }, () => PROJECTOR),
    env,
  );
  const haveJoined = async () =>
    isEven(await site.topics.shares(PROJECTORS.name, INTAKE_TOPIC), projectors) &&
    (await foldedRecords(database.pool)) === PARTITIONS;
  await until('the projectors to share the partitions', haveJoined, programs);
  const release = await holdBatches(database);
  const { records } = await appendChunks(site, url, packed.chunks, 'kafka');

  const watch = await watchProcesses([
    ...programs.map(({ watched }, i) => ({ ...watched, name: `${PROJECTOR} ${i + 1}` })),
    ...site.engines,
  ]);
  const machineSeconds = watchMachine();
  const began = performance.now();
  const secondsSince = () => (performance.now() - began) / 1000;
  await release();
  const isFolded = async () => (await foldedRecords(database.pool)) === records;
  await until('the log to be folded', isFolded, programs);
  const seconds = secondsSince();
  const processes = await watch();
  const busy = busyOf(processes, machineSeconds(), seconds);

  await until('the changes to be published', () => isPublished(database.pool), programs);
  const { findings } = packed;
  const remarks = { 'until published': `${(findings / secondsSince()).toFixed(0)} findings/s` };
  await assertStored(database.pool, findings);
  await Promise.all(programs.map((program) => program.stop()));
  await drop();
  return { projectors, findings, seconds, processes, busy, remarks };
}

/** Whether all projectors have joined, and no projector has more than its share. */
const isEven = (shares: number[], projectors: number): boolean =>
  shares.length === projectors &&
  shares.reduce((sum, share) => sum + share, 0) === PARTITIONS &&
  Math.max(...shares) <= Math.ceil(PARTITIONS / projectors);

/** Locks the table that a batch reads first after decoding its records. Nothing else reads it in this benchmark. */
async function holdBatches({ pool }: Database): Promise<() => Promise<void>> {
  const holding = await pool.connect();
  await holding.query('begin; set local idle_in_transaction_session_timeout = 0');
  await holding.query('lock table upload_progress in access exclusive mode');
  return async () => {
    await holding.query('commit');
    holding.release();
  };
}

function busyOf(processes: SideRun['processes'], machineSeconds: number, seconds: number): Busy {
  const coresOf = (isMeant: (name: string) => boolean) =>
    processes.filter(({ name }) => isMeant(name)).map(({ cpuSeconds }) => cpuSeconds / seconds);
  const sum = (cores: number[]) => cores.reduce((total, one) => total + one, 0);
  return {
    projectors: coresOf((name) => name.startsWith(PROJECTOR)),
    postgres: sum(coresOf((name) => name === 'PostgreSQL')),
    kafka: sum(coresOf((name) => name === 'Kafka')),
    others: Math.max(0, machineSeconds / seconds - sum(coresOf(() => true))),
  };
}
