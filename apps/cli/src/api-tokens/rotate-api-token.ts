import type { PostureClient, Schemas } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findApiToken } from './find-api-token.ts';
import { printToken } from './print-token.ts';

/**
 * Another secret. If the answer is lost, rotating again helps.
 * @throws CliError exit 2 if there is no such token, exit 1 if the service refuses or is unreachable
 */
export async function rotateApiToken(
  client: PostureClient,
  idOrName: string,
  given: Schemas['RotateApiTokenDto'],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { id } = await findApiToken(client, idOrName);
  const token = await client
    .post('/api/v3/tokens/{id}/rotate', { params: { path: { id } }, body: given })
    .catch(reject);
  printToken('New token of', token, json, terminal);
}
