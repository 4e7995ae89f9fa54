import { join } from 'node:path';
import { TOPICS } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import type { BenchOptions } from '../benchmark.ts';
import type { BenchSite } from './bench-site.ts';
import type { ChildProgram } from './child-program.ts';
import { HttpClient } from './http-client.ts';

export const ADMIN = { username: 'admin', password: 'a-password-for-benchmarks' };

/** Topics of the service. A start creates missing topics. */
export const SERVICE_TOPICS = TOPICS.map(({ name }) => name);
/** All topics except the log. */
export const CHANGE_TOPICS = SERVICE_TOPICS.filter((name) => name !== INTAKE_TOPIC);

type App = 'gateway' | 'projector' | 'scorer' | 'standalone';

/** All programs from an upload to a score: on Kafka each a separate process. */
export const appsOf = (log: BenchOptions['log']): readonly App[] =>
  log === 'kafka' ? ['gateway', 'projector', 'scorer'] : ['standalone'];

/** The environment of the service's programs in a benchmark. */
export function serviceEnv(
  site: BenchSite,
  databaseUrl: string,
  log: BenchOptions['log'],
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(site.folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    POSTURE_ADMIN_USERNAME: ADMIN.username,
    POSTURE_ADMIN_PASSWORD: ADMIN.password,
    ...(log === 'kafka' && { KAFKA_BROKERS: site.brokers }),
  };
}

export const signedIn = (url: string): Promise<HttpClient> =>
  HttpClient.signIn(url, ADMIN.username, ADMIN.password);

/** Starts the programs that accept and fold uploads. The first one serves HTTP. @param more of their environment */
export const startService = (
  site: BenchSite,
  databaseUrl: string,
  log: BenchOptions['log'],
  more: Record<string, string> = {},
): Promise<ChildProgram[]> =>
  startApps(site, log === 'kafka' ? ['gateway', 'projector'] : ['standalone'], {
    ...serviceEnv(site, databaseUrl, log),
    ...more,
  });

/** Starts the built programs, one after another in the given order. */
export async function startApps(
  site: BenchSite,
  apps: readonly App[],
  env: Record<string, string>,
): Promise<ChildProgram[]> {
  const programs: ChildProgram[] = [];
  for (const app of apps) {
    const ready = /(?:Service|Gateway|Projector|Scorer) on (http:\S+)/;
    programs.push(await site.start({ name: app, script: `programs/${app}.js`, env, ready }));
  }
  return programs;
}
