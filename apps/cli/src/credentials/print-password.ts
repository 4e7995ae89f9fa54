import type { Schemas } from '#client';
import type { Terminal } from '../terminal.ts';

/**
 * Only the password on stdout, so that it can be redirected to a file or another program without being shown; its
 * description on stderr.
 * @param what the act, before the user name
 */
export function printPassword(
  what: string,
  credential: Schemas['CredentialWithPasswordDto'],
  json: boolean,
  { stdout, stderr }: Terminal,
): void {
  if (json) {
    stdout.write(`${JSON.stringify({ ok: true, credential })}\n`);
    return;
  }
  const { username, role, id, password } = credential;
  stderr.write(`${what} ${username} (${role}, id ${id}); the password is shown only once:\n`);
  stdout.write(`${password}\n`);
}
