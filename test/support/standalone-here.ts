import { rm } from 'node:fs/promises';
import { readConfig } from '#libs/config';
import type { Database } from '#libs/database';
import { openProgram } from '#libs/program';
import { startAll } from '../../apps/standalone/src/start-all.ts';
import { ApiClient } from './api-client.ts';
import { cheapHash } from './cheap-hash.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { ADMIN, ADMIN_ENV, FEW_PARTITIONS, temporaryDataDir } from './started-standalone.ts';

/** The first one is called first. */
type Closers = (() => Promise<unknown>)[];

/**
 * The standalone service in the process of the test, on the PostgreSQL of the run: its start takes a tenth of the CPU
 * of `StartedStandalone`. Not for tests of the process itself, such as its end, its memory or its own PostgreSQL.
 */
export class StandaloneHere {
  private constructor(
    readonly url: string,
    /** Its database, for commands and for tests that look behind the API. */
    readonly databaseUrl: string,
    /** Contains its secret key. */
    readonly dataDir: string,
    private readonly lines: readonly string[],
    private readonly closers: Closers,
  ) {}

  /**
   * @param env variables of the service in addition to those of every test start; with DATABASE_URL or DATA_DIR the
   *   caller's database or folder instead of a new one
   */
  static async start(env: Record<string, string> = {}): Promise<StandaloneHere> {
    const closers: Closers = [];
    try {
      return await StandaloneHere.startWith(env, closers);
    } catch (error) {
      await closeAll(closers);
      throw error;
    }
  }

  private static async startWith(env: Record<string, string>, closers: Closers): Promise<StandaloneHere> {
    const dataDir = env.DATA_DIR ?? (await ownDataDir(closers));
    const databaseUrl = env.DATABASE_URL ?? (await ownDatabase(closers)).url;
    const settings = {
      PORT: '0',
      ...ADMIN_ENV,
      ...FEW_PARTITIONS,
      ...env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
    };
    const lines: string[] = [];
    const program = await openProgram({
      name: 'standalone',
      config: readConfig(settings),
      allowEmbeddedDatabase: false,
      logTo: { write: (line) => void lines.push(line) },
    });
    closers.unshift(() => program.resources.close());
    const isNew = await hasNoCredentials(program.database);
    const { url } = await startAll(program);
    if (isNew) await makeSignInCheap(program.database, settings);
    return new StandaloneHere(url, databaseUrl, dataDir, lines, closers);
  }

  /** All lines of its log. */
  get log(): string {
    return this.lines.join('');
  }

  /** The variables with which commands find the site. */
  get env(): { DATABASE_URL: string; DATA_DIR: string } {
    return { DATABASE_URL: this.databaseUrl, DATA_DIR: this.dataDir };
  }

  /** A client that is signed in as the first admin. */
  client(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, ADMIN);
  }

  /** Removes its data directory and its database, unless the caller gave them. */
  async stopAndRemove(): Promise<void> {
    await closeAll(this.closers);
  }
}

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

async function hasNoCredentials({ db }: Pick<Database, 'db'>): Promise<boolean> {
  return (await db.selectFrom('credentials').select('id').limit(1).execute()).length === 0;
}

/** Of the first admin, unless the caller chose the password. */
async function makeSignInCheap({ db }: Pick<Database, 'db'>, env: Record<string, string>): Promise<void> {
  if (env.POSTURE_ADMIN_PASSWORD !== ADMIN.password) return;
  const password_hash = await cheapHash(ADMIN.password);
  await db.updateTable('credentials').set({ password_hash }).execute();
}

async function ownDataDir(closers: Closers): Promise<string> {
  const dataDir = await temporaryDataDir();
  closers.unshift(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function ownDatabase(closers: Closers): Promise<TestDatabase> {
  const database = await testDatabase();
  closers.unshift(() => database.drop());
  return database;
}
