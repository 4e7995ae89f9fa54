import type { PostureClient, Schemas } from '#client';
import { usageError } from '../cli-error.ts';
import { readApiTokens } from './read-api-tokens.ts';

/**
 * The API token of an id or a name.
 * @throws CliError exit 2 if there is none, or the id of one is the name of another; exit 1 as `readApiTokens`
 */
export async function findApiToken(client: PostureClient, idOrName: string): Promise<Schemas['ApiTokenDto']> {
  const found: Schemas['ApiTokenDto'][] = [];
  for await (const token of readApiTokens(client)) {
    if (token.id === idOrName.toLowerCase() || token.name === idOrName) found.push(token);
  }
  const [one, other] = found;
  if (!one) {
    throw usageError(`no API token with name or id ${idOrName}`, [
      'posture api-tokens list shows all API tokens',
    ]);
  }
  if (other) throw usageError(`${idOrName} is the id of one API token and the name of another`);
  return one;
}
