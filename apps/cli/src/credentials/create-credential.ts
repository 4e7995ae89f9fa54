import type { PostureClient, Schemas } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { printPassword } from './print-password.ts';

/**
 * @throws CliError exit 1 if the service refuses (the name is taken) or is unreachable; if an answer was lost,
 * the credential may be there: rotate it, or delete it
 */
export async function createCredential(
  client: PostureClient,
  given: Schemas['AddCredentialDto'],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const credential = await client.post('/api/v3/credentials', { body: given }).catch(reject);
  printPassword('Created', credential, json, terminal);
}
