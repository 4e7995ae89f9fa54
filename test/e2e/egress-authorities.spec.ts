import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestAuthority } from '../support/certificates.ts';

const run = promisify(execFile);
const EGRESS = new URL('../../dist/libs/egress/src/index.js', import.meta.url);

/** Node reads its authorities when it starts, so that this takes a process. */
const SCRIPT = `
import { openEgress } from ${JSON.stringify(EGRESS.href)};
const egress = openEgress({ allow: () => ['127.0.0.1'] });
const answer = await egress.request({ method: 'GET', url: process.argv[1] }).catch((error) => error);
console.log(answer.failure ?? answer.status);
await egress.close();
`;

let authority: TestAuthority;
let url: string;
let close: () => void;

beforeAll(async () => {
  authority = await TestAuthority.create();
  const server = createServer(await authority.issue(['IP:127.0.0.1']), (_, response) => response.end());
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  close = () => server.close();
});
afterAll(async () => {
  close();
  await authority.remove();
});

async function asked(env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SCRIPT, url], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, ...env },
  });
  return stdout.trim();
}

describe('authorities of a process', () => {
  it('are those of Node, with NODE_EXTRA_CA_CERTS', async () => {
    expect(await asked({})).toBe('tls');
    expect(await asked({ NODE_EXTRA_CA_CERTS: authority.file })).toBe('200');
  });

  it('always run: no variable disables them', async () => {
    expect(await asked({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toBe('tls');
  });
});
