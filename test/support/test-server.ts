/** Values that the run's setup passes to the spec files' processes and its own teardown. */
export const SERVER_URL_VARIABLE = 'POSTURE_TEST_DATABASE_URL';

/** The template of every test database. */
export const TEMPLATE = 'template_posture';

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
