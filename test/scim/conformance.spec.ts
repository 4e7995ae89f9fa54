import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { providersOf } from '../fixtures/sign-ins/oidc-server.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { StartedGateway } from '../support/started-gateway.ts';

const run = promisify(execFile);
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let gateway: StartedGateway;
let python: string;
beforeAll(async () => {
  python = await pythonWith(fileOf('requirements.txt'));
  gateway = await StartedGateway.start({
    env: { PUBLIC_URL: 'https://posture.example.com', OIDC_PROVIDERS: providersOf('https://id.example.com') },
  });
}, PYTHON_MS_MAX);
afterAll(() => gateway?.stop());

it('passes the checks of scim2-tester (R-AUTH-31)', async () => {
  const admin = await gateway.client('admin');
  const given = JSON.stringify({ name: 'scim', scopes: ['users:read', 'users:write'] });
  const { body } = await admin.request('POST', '/api/v3/tokens', given);
  const url = `${gateway.url}/scim/v2/corp`;
  const { stdout } = await run(python, [fileOf('check.py'), url], {
    env: { ...process.env, TOKEN: body.token },
    maxBuffer: 16 * 1024 * 1024,
  });
  const { counts, others } = JSON.parse(stdout);
  // A search over several types of resources at once, which RFC 7644 leaves open.
  const skipped = { status: 'SKIPPED', title: 'search_with_attributes' };
  expect(others).toMatchObject([skipped, skipped]);
  expect(counts).toMatchObject({ SUCCESS: 57 });
});
