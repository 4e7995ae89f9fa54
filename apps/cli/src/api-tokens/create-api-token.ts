import type { PostureClient, Schemas } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { printToken } from './print-token.ts';

/**
 * @throws CliError exit 1 if the service refuses (the name is taken, a scope that the caller does not have) or is
 * unreachable; if an answer was lost, the token may be there: rotate it, or revoke it
 */
export async function createApiToken(
  client: PostureClient,
  given: Schemas['AddApiTokenDto'],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const token = await client.post('/api/v3/tokens', { body: given }).catch(reject);
  printToken('Created', token, json, terminal);
}
