import type { PostureClient } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findCredential } from './find-credential.ts';
import { printPassword } from './print-password.ts';

/**
 * Another password; the old one and its tokens end. If the answer is lost, rotating again helps.
 * @param caller user name that this command signed in with; null: it used an API token
 * @throws CliError exit 2 if there is no such credential, exit 1 if the service refuses or is unreachable
 */
export async function rotateCredential(
  client: PostureClient,
  idOrName: string,
  caller: string | null,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { id, username } = await findCredential(client, idOrName);
  const credential = await client
    .post('/api/v3/credentials/{id}/rotate', { params: { path: { id } } })
    .catch(reject);
  printPassword('New password of', credential, json, terminal);
  if (username === caller && !json) {
    terminal.stderr.write(
      'The command line used this credential: set POSTURE_USERNAME and POSTURE_PASSWORD.\n',
    );
  }
}
