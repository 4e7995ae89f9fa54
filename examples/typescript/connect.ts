// Address and credentials come from the environment, as for the command line. This sends no request: the client signs
// in before its first request, and again when its token has expired after one hour.
import { createClient } from '@risk-posture/client';

const { POSTURE_URL = 'http://127.0.0.1:8080', POSTURE_USERNAME, POSTURE_PASSWORD } = process.env;
if (!POSTURE_USERNAME || !POSTURE_PASSWORD) throw new Error('set POSTURE_USERNAME and POSTURE_PASSWORD');

export const posture = createClient({
  url: POSTURE_URL,
  username: POSTURE_USERNAME,
  password: POSTURE_PASSWORD,
  onWait: ({ ms, request, status }) =>
    console.error(`${request}: ${status ?? 'connection cut'}, retry in ${ms} ms`),
});

/** The arguments of the program; all are required. */
export function args(usage: string): string[] {
  const given = process.argv.slice(2);
  if (given.length >= usage.split(' ').length) return given;
  console.error(`usage: ${usage}`);
  process.exit(2);
}
