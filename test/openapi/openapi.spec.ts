import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { isLongRun } from '../support/long-run.ts';
import { isInRun, PART_VARIABLE, part } from '../support/part-of-run.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';
import { RUN_MS_MAX, schemathesis, schemathesisFile } from './schemathesis.ts';

const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? (isLongRun ? '12' : '2');
/**
 * The coverage phase sends most of the requests: every boundary of every parameter. It takes all operations in a long
 * run, otherwise a quarter of them, which is another one from run to run. All other phases take all operations. Callers
 * that can do less than an admin take a quarter each, of all phases but that one.
 */
const SHARES = 4;

/** Of one of the machines. */
const DEPARTMENT = 'Sales';

let service: StandaloneHere;
let client: ApiClient;
let python: string;

beforeAll(async () => {
  python = await pythonWith(schemathesisFile('requirements.txt'));
  service = await StandaloneHere.start();
  client = await service.client();
  // Requests from the document's own examples and from responses of lists.
  await created('/api/v3/company/departments', { name: DEPARTMENT });
  const names = ['a', 'b', 'c', 'd'];
  const signals = names.map((name, i) => {
    const signal = plainSignal(name, `h0${i % 2}`);
    const entity = { ...signal.entity, entityAttributes: { department: DEPARTMENT } };
    return [`${i}.json`, i % 2 === 0 ? signal : { ...signal, entity }];
  });
  const { body } = await client.zip(await zipOf(Object.fromEntries(signals)));
  await client.folded(body.uploadId);
  const settings = JSON.stringify({ jsonRequestsPerMinute: 1_000_000 });
  await client.request('PATCH', '/api/v3/settings', settings);
}, PYTHON_MS_MAX);
afterAll(() => service.stopAndRemove());

/** Path of schemathesis.toml with more sections. */
async function configFile(name: string, added: string[] = []): Promise<string> {
  const common = await readFile(schemathesisFile('schemathesis.toml'), 'utf8');
  const path = join(service.dataDir, `${name}.toml`);
  await writeFile(path, common + added.join(''));
  return path;
}

/** The operations outside of a quarter; none in a long run. */
async function operationsWithout(quarter: number): Promise<string[]> {
  const common = await readFile(schemathesisFile('schemathesis.toml'), 'utf8');
  const { body: document } = await client.request('GET', '/docs-json');
  const all = operationsOf(document);
  expect(all.length).toBeGreaterThan(SHARES);
  return all.filter((name, i) => !isInRun(i + quarter, SHARES) && !common.includes(`"${name}"`));
}

const withSetting = (setting: string) => (operation: string) =>
  `\n[[operations]]\ninclude-name = "${operation}"\n${setting}\n`;

/** Such as `GET /api/v3/findings`. */
function operationsOf({ paths }: { paths: Record<string, object> }): string[] {
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return names.sort();
}

async function accessToken({ username, password } = ADMIN): Promise<string> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const response = await fetch(`${service.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

/** Who can do less than an admin. */
const CALLERS: Record<string, () => Promise<string>> = {
  'a viewer': () => tokenOfRole('viewer'),
  'an analyst': () => tokenOfRole('analyst'),
  'a caller limited to a department': () => apiToken({ scopes: SCOPES, departments: [DEPARTMENT] }),
  'an API token with one scope': () => apiToken({ scopes: ['findings:read'] }),
};

async function tokenOfRole(role: string): Promise<string> {
  const { body } = await created('/api/v3/credentials', { username: `${role}-of-the-run`, role });
  return accessToken(body);
}

async function apiToken(given: object): Promise<string> {
  const { body } = await created('/api/v3/tokens', { name: `of-the-run-${randomUUID()}`, ...given });
  return body.token;
}

async function created(path: string, given: object) {
  const answer = await client.request('POST', path, JSON.stringify(given), {
    'content-type': 'application/json',
  });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer;
}

describe('the OpenAPI document is true (schemathesis)', () => {
  it(
    'no request causes a 5xx or an undocumented response, and no invalid one is accepted',
    async () => {
      const leftOut = await operationsWithout(0);
      const config = await configFile('admin', leftOut.map(withSetting('phases.coverage.enabled = false')));
      const token = await accessToken();
      const { isWell, output } = await schemathesis(
        { service, python, config, token },
        '--phases',
        'examples,coverage,fuzzing',
        '--max-examples',
        EXAMPLES,
      );
      expect(isWell ? '' : `${PART_VARIABLE}=${part()}\n${output}`).toBe('');
      await expectVerified(service.env);
    },
    RUN_MS_MAX + 60_000,
  );

  it.each(Object.keys(CALLERS))(
    'nor one of %s',
    async (name) => {
      const place = Object.keys(CALLERS).indexOf(name);
      const leftOut = await operationsWithout(place);
      const config = await configFile(`caller-${place}`, leftOut.map(withSetting('enabled = false')));
      const token = await CALLERS[name]!();
      const { isWell, output } = await schemathesis(
        { service, python, config, token },
        '--phases',
        isLongRun ? 'examples,coverage,fuzzing' : 'examples,fuzzing',
        '--max-examples',
        isLongRun ? EXAMPLES : '1',
      );
      expect(isWell ? '' : `${PART_VARIABLE}=${part()}\n${output}`).toBe('');
    },
    RUN_MS_MAX + 60_000,
  );
});
