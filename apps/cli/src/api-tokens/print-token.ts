import type { Schemas } from '#client';
import type { Terminal } from '../terminal.ts';

/**
 * Only the token on stdout, so that it can be redirected to a file or another program without being shown; its
 * description on stderr.
 * @param what the act, before the name
 */
export function printToken(
  what: string,
  apiToken: Schemas['ApiTokenWithSecretDto'],
  json: boolean,
  { stdout, stderr }: Terminal,
): void {
  if (json) {
    stdout.write(`${JSON.stringify({ ok: true, apiToken })}\n`);
    return;
  }
  const { name, scopes, id, previousUntil, token } = apiToken;
  const overlap = previousUntil === null ? '' : `; the previous token is valid until ${previousUntil}`;
  stderr.write(`${what} ${name} (${scopes.join(', ')}; id ${id})${overlap}. It is shown only once:\n`);
  stdout.write(`${token}\n`);
}
