import type { ApiClient } from '../api-client.ts';
import { usageError } from '../cli-error.ts';
import type { CredentialAnswer } from './credential-answers.ts';
import { readCredentials } from './read-credentials.ts';

/**
 * The credential of an id or a user name.
 * @throws CliError exit 2 where there is none, or the id of one is the user name of another: a guess could end the
 * tokens of the wrong one; exit 1 as `readCredentials`
 */
export async function findCredential(client: ApiClient, idOrName: string): Promise<CredentialAnswer> {
  const found: CredentialAnswer[] = [];
  for await (const credential of readCredentials(client)) {
    const { id, username } = credential;
    if (id === idOrName.toLowerCase() || username === idOrName) found.push(credential);
  }
  const [one, other] = found;
  if (!one)
    throw usageError(`no credential has the user name or id ${idOrName}`, [
      'posture credentials list shows them',
    ]);
  if (other) {
    throw usageError(
      `${idOrName} is the id of one credential and the user name of another`,
      found.map(({ id, username }) => `${username}, id ${id}`),
    );
  }
  return one;
}
