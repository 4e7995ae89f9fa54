import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Database, migrate, NPM_PROGRAMS, openDatabase, startEmbeddedPostgres } from '#libs/database';
import type * as Broker from '../../../deploy/kafka/broker.mjs';
import { Resources } from '../../../libs/program/src/resources.ts';
import type { BenchOptions } from '../benchmark.ts';
import type { Progress } from '../progress.ts';
import { ROOT } from '../root.ts';
import { ChildProgram } from './child-program.ts';
import { runCommand } from './command.ts';
import { KafkaTopics } from './kafka-topics.ts';
import type { BenchSite, SiteDatabase } from './site.ts';

export type { BenchSite, SiteDatabase } from './site.ts';

/** Exit code of a process that Ctrl-C has ended. */
const INTERRUPTED_EXIT = 130;

/**
 * Opens a site, works on it, and closes it also after a failure. Ctrl-C closes it too and ends the process with 130.
 * A given `site` is neither opened nor closed.
 */
export async function onSite<T>(
  { profile, site, folder }: Pick<BenchOptions, 'profile' | 'site' | 'folder'>,
  progress: Progress,
  work: (site: BenchSite) => Promise<T>,
): Promise<T> {
  if (site) return work(site);
  const resources = new Resources();
  const opening = openSite(resources, progress, { profile, folder });
  let isStopping = false;
  const interrupted = () => {
    if (isStopping) return;
    isStopping = true;
    progress.say('stopping …');
    const end = () => process.exit(INTERRUPTED_EXIT);
    void opening
      .catch(() => undefined)
      .then(() => resources.close())
      .then(end, end);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupted);
  try {
    return await work(await opening);
  } finally {
    // Does not report the failures of stopped programs: the process is about to end.
    if (isStopping) await new Promise(() => {});
    await resources.close();
    for (const signal of signals) process.removeListener(signal, interrupted);
  }
}

async function openSite(
  resources: Resources,
  progress: Progress,
  { profile, folder: kept }: Pick<BenchOptions, 'profile' | 'folder'>,
): Promise<BenchSite> {
  progress.say('starting Kafka and PostgreSQL');
  const folder = kept === undefined ? await temporaryFolder(resources) : await keptFolder(kept);
  // PostgreSQL runs as another user if the benchmark runs as root.
  await chmod(folder, 0o755);
  const { startKafka, whyNoBroker } = await broker();
  const absence = whyNoBroker();
  if (absence) throw new Error(`Kafka cannot be started here: ${absence}`);
  const directory = join(folder, 'postgres');
  // As in `npm start`, every commit reaches the disk. The programs are the same on every machine.
  const postgres = resources.add(
    await startEmbeddedPostgres({ directory, log: () => {}, postgresBin: NPM_PROGRAMS }),
    (started) => started.stop(),
  );
  const kafka = resources.add(await startKafka({ directory: join(folder, 'kafka') }), (started) =>
    started.stop(),
  );
  const server = resources.add(openDatabase(postgres.url, { max: 2 }), (opened) => opened.close());
  const topics = resources.add(await KafkaTopics.open(kafka.brokers), (opened) => opened.close());
  const postmaster = Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10);
  return {
    folder,
    brokers: kafka.brokers,
    topics,
    server,
    engines: [
      { name: 'PostgreSQL', pid: postmaster, withChildren: true },
      { name: 'Kafka', pid: kafka.nodes[0]!.pid! },
    ],
    newDatabase: async (name) => {
      await server.pool.query(`create database ${name}`);
      return migratedDatabase(server, postgres.url, name);
    },
    keptDatabase: async (name) => {
      const { rowCount } = await server.pool.query('select from pg_database where datname = $1', [name]);
      if (rowCount === 0) await server.pool.query(`create database ${name}`);
      return migratedDatabase(server, postgres.url, name);
    },
    start: async (program) =>
      resources.add(await ChildProgram.start(program, profileFlags(program.name, profile)), (started) =>
        started.stop(),
      ),
    run: (command) => runCommand(command, profileFlags(command.name, profile)),
  };
}

const temporaryFolder = async (resources: Resources): Promise<string> =>
  resources.add(await mkdtemp(join(tmpdir(), 'posture-bench-')), (made) =>
    rm(made, { recursive: true, force: true }),
  );

async function keptFolder(path: string): Promise<string> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  return folder;
}

const profileFlags = (program: string, folder: string | undefined): string[] =>
  folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder, program)}`];

/** Imported by its path, because it is a script outside the build. */
const broker = (): Promise<typeof Broker> => import(pathToFileURL(`${ROOT}deploy/kafka/broker.mjs`).href);

async function migratedDatabase(server: Database, serverUrl: string, name: string): Promise<SiteDatabase> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, { max: 2 });
  await migrate(database.pool);
  await server.pool.query('checkpoint');
  return {
    url: url.href,
    database,
    drop: async () => {
      await database.close();
      await server.pool.query(`drop database ${name} with (force)`);
    },
  };
}
