import type { PostureClient } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findCredential } from './find-credential.ts';

/** @throws CliError exit 2 if there is no such credential, exit 1 if the service refuses or is unreachable */
export async function setBreakGlass(
  client: PostureClient,
  idOrName: string,
  isBreakGlass: boolean,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const { id } = await findCredential(client, idOrName);
  const params = { params: { path: { id } } };
  const path = '/api/v3/credentials/{id}/break-glass';
  const asked = isBreakGlass ? client.post(path, params) : client.delete(path, params);
  const credential = await asked.catch(reject);
  const sentence = isBreakGlass ? 'is the credential for emergencies' : 'is no credential for emergencies';
  stdout.write(
    json ? `${JSON.stringify({ ok: true, credential })}\n` : `${credential.username} ${sentence}\n`,
  );
}
