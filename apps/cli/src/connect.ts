import type { PostureClient } from '#client';
import { type Connection, readConnection } from './connection.ts';
import { openClient } from './open-client.ts';
import type { Terminal } from './terminal.ts';

/**
 * A client of the service, which says why it waits, unless the output is JSON.
 * @throws CliError (exit 2) if the address or the credentials are missing or malformed
 */
export async function connect(
  { env, stderr }: Terminal,
  { url, json = false }: { url?: string | undefined; json?: boolean | undefined },
): Promise<{ client: PostureClient; connection: Connection }> {
  const connection = await readConnection(env, url);
  const client = openClient(connection, { onWait: (reason) => json || stderr.write(`${reason}\n`) });
  return { client, connection };
}
