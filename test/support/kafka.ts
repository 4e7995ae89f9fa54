import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, it } from '@jest/globals';
import { whyNoBroker } from '../../deploy/kafka/broker.mjs';
import { SERVER_URL_VARIABLE } from './test-server.ts';
import { until } from './until.ts';

/** With the download of the jars, which happens once. */
export const KAFKA_START_MS_MAX = 300_000;

const KEEPER = fileURLToPath(new URL('../../deploy/kafka/keep-for-run.mjs', import.meta.url));

/** In CI the Kafka half must run; elsewhere it is skipped if it cannot, and counted so. */
const mustRun = process.env.CI === 'true';

/** A `describe` of specs that need Kafka: the brokers of KAFKA_BROKERS, or one that this run starts. */
export function describeKafka(name: string, specs: (brokers: () => string) => void): void {
  describeWhere(Boolean(process.env.KAFKA_BROKERS) || whyNoBroker() === undefined, name, () => {
    let brokers = '';
    beforeAll(async () => {
      brokers = await testKafka();
    }, KAFKA_START_MS_MAX);
    specs(() => brokers);
  });
}

/** A `describe` of specs that start and kill their own brokers. */
export function describeOwnKafka(name: string, specs: () => void): void {
  describeWhere(whyNoBroker() === undefined, name, specs);
}

function describeWhere(canRun: boolean, name: string, specs: () => void): void {
  if (canRun) describe(name, specs);
  else if (!mustRun) describe.skip(`${name} (skipped: ${whyNoBroker()})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`Kafka cannot be started here, and in CI it must: ${whyNoBroker()}`);
    });
  }
}

/** The brokers for this run, as in KAFKA_BROKERS: the first spec file to ask starts one. */
async function testKafka(): Promise<string> {
  if (process.env.KAFKA_BROKERS) return process.env.KAFKA_BROKERS;
  const folder = runFolder();
  if (await isFirst(folder)) startKeeper(folder);
  let address: string | undefined;
  await until(
    'a Kafka broker for the run',
    async () => {
      const failure = await textOf(join(folder, 'failure'));
      if (failure !== undefined) throw new Error(failure);
      address = await textOf(join(folder, 'address'));
      return address !== undefined;
    },
    KAFKA_START_MS_MAX,
  );
  return address!;
}

/** The database server is one a run, so its address names the run in all of its processes. */
function runFolder(): string {
  const run = createHash('sha256')
    .update(`${process.env[SERVER_URL_VARIABLE]} ${ownerOfRun()}`)
    .digest('hex');
  return join(tmpdir(), `posture-kafka-${run.slice(0, 16)}`);
}

/** Jest's own process, which is this one if it runs the files in itself. */
const ownerOfRun = (): number => (process.send ? process.ppid : process.pid);

const isFirst = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );

/** Detached, so that it outlives this spec file's process and no Ctrl-C ends it half-way. */
function startKeeper(folder: string): void {
  spawn(process.execPath, [KEEPER, folder, `${ownerOfRun()}`], { detached: true, stdio: 'ignore' }).unref();
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
