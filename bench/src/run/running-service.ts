import type pg from 'pg';
import type { BenchOptions } from '../benchmark.ts';
import type { BenchSite, SiteDatabase } from './bench-site.ts';
import type { ChildProgram } from './child-program.ts';
import type { HttpClient } from './http-client.ts';
import { type ProcessUse, type Watched, watchProcesses } from './process-use.ts';
import { findingChanges, isPublished, isScored } from './projection.ts';
import { appsOf, SERVICE_TOPICS, serviceEnv, signedIn, startApps } from './service.ts';
import { until } from './until.ts';

/** A running service with all its programs. It can be stopped and started again on the same log and database. */
export class RunningService {
  private constructor(
    readonly programs: readonly ChildProgram[],
    readonly client: HttpClient,
    readonly pool: pg.Pool,
  ) {}

  static async start(
    site: BenchSite,
    { url, database }: SiteDatabase,
    log: BenchOptions['log'],
  ): Promise<RunningService> {
    const programs = await startApps(site, appsOf(log), serviceEnv(site, url, log));
    return new RunningService(programs, await signedIn(programs[0]!.address), database.pool);
  }

  get watched(): Watched[] {
    return this.programs.map(({ watched }) => watched);
  }

  /** Resource use of its programs since their start, without PostgreSQL and Kafka. */
  async peaks(): Promise<ProcessUse[]> {
    return (await watchProcesses(this.watched))();
  }

  /** Waits until the history contains at least `changes` changes of findings. A new finding makes one change. */
  async untilVisible(changes: number): Promise<void> {
    const isVisible = async () => (await findingChanges(this.pool)) >= changes;
    await until(`${changes} findings to be visible`, isVisible, this.programs);
  }

  async untilScored(): Promise<void> {
    await until('the changes to be scored', () => isScored(this.pool), this.programs);
  }

  async untilPublished(): Promise<void> {
    await until('the changes to be published', () => isPublished(this.pool), this.programs);
  }

  async stop(): Promise<void> {
    for (const program of this.programs) await program.stop();
  }
}

/** Works on an empty log and an empty database, and removes both afterwards. */
export async function onEmptyDatabase<T>(
  site: BenchSite,
  name: string,
  work: (database: SiteDatabase) => Promise<T>,
): Promise<T> {
  await site.topics.delete(SERVICE_TOPICS);
  const database = await site.newDatabase(name);
  const result = await work(database);
  await database.drop();
  return result;
}
