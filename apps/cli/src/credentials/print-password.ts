import type { Terminal } from '../terminal.ts';
import type { CredentialWithPassword } from './credential-answers.ts';

/**
 * The password alone on stdout, so that it can go into a file or another program without passing a screen; what it is
 * of on stderr.
 * @param what was done, before the user name
 */
export function printPassword(
  what: string,
  credential: CredentialWithPassword,
  json: boolean,
  { stdout, stderr }: Terminal,
): void {
  if (json) {
    stdout.write(`${JSON.stringify({ ok: true, credential })}\n`);
    return;
  }
  const { username, role, id, password } = credential;
  stderr.write(`${what} ${username} (${role}, id ${id}); its password is shown this once:\n`);
  stdout.write(`${password}\n`);
}
