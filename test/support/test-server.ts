/** What the run's setup tells the spec files' processes and its own teardown. */
export const SERVER_URL_VARIABLE = 'POSTURE_TEST_DATABASE_URL';

/** What every test database is a copy of. */
export const TEMPLATE = 'template_posture';

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
