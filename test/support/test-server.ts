/** Values that the run's setup passes to the spec files' processes and its own teardown. */
export const SERVER_URL_VARIABLE = 'POSTURE_TEST_DATABASE_URL';

/** Addresses of the machines of Citus, the coordinator first, separated by commas, if the tests run on it. */
const CITUS_VARIABLE = 'POSTURE_TEST_CITUS_URLS';

/** As of `CITUS_VARIABLE`; undefined if the tests run on one PostgreSQL. */
export const citusUrls = (): string[] | undefined => process.env[CITUS_VARIABLE]?.split(',');

export function useCitus(urls: readonly string[]): void {
  process.env[CITUS_VARIABLE] = urls.join(',');
}

/** The template of every test database. */
export const TEMPLATE = 'template_posture';

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
