import type { ApiClient } from '../api-client.ts';
import type { Terminal } from '../terminal.ts';
import type { CredentialWithPassword } from './credential-answers.ts';
import { findCredential } from './find-credential.ts';
import { printPassword } from './print-password.ts';
import { refusedAct } from './refused-act.ts';

/**
 * Another password; the old one and its tokens end. Where the answer is lost, rotating again helps.
 * @param caller user name that this command signed in with
 * @throws CliError exit 2 where there is no such credential, exit 1 where the service refuses or is out of reach
 */
export async function rotateCredential(
  client: ApiClient,
  idOrName: string,
  caller: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { id, username } = await findCredential(client, idOrName);
  const credential = await client.act('POST', `/api/v3/credentials/${id}/rotate`).catch((error: unknown) => {
    throw refusedAct(error);
  });
  printPassword('Another password of', credential as CredentialWithPassword, json, terminal);
  if (username === caller && !json) {
    terminal.stderr.write(
      'The command line signs in as this user: set POSTURE_USERNAME and POSTURE_PASSWORD.\n',
    );
  }
}
