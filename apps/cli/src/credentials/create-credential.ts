import type { ApiClient } from '../api-client.ts';
import type { Terminal } from '../terminal.ts';
import type { CredentialWithPassword } from './credential-answers.ts';
import { printPassword } from './print-password.ts';
import { refusedAct } from './refused-act.ts';

/**
 * @throws CliError exit 1 where the service refuses (the name is taken) or is out of reach; where an answer was lost,
 * the credential may be there: rotate it, or delete it
 */
export async function createCredential(
  client: ApiClient,
  given: { username: string; role: string },
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const credential = await client.act('POST', '/api/v3/credentials', given).catch((error: unknown) => {
    throw refusedAct(error);
  });
  printPassword('Made', credential as CredentialWithPassword, json, terminal);
}
