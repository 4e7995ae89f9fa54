import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { isLongRun } from '../support/long-run.ts';
import { isInRun, PART_VARIABLE, part } from '../support/part-of-run.ts';
import { pythonWith } from '../support/python-environment.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';

const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Fixed, so that an operation is asked the same in every run; set another one to search further. */
const SEED = process.env.SCHEMATHESIS_SEED ?? '1';
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? (isLongRun ? '12' : '2');
/**
 * The coverage phase sends most of the requests: every boundary of every parameter. It takes all operations in a long
 * run, otherwise a quarter of them, which is another one from run to run. All other phases take all operations.
 */
const SHARES = 4;
const RUN_MS_MAX = 600_000;
const INSTALL_MS_MAX = 300_000;
const REPORT_CHARACTERS = 8_000;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
];

let service: StandaloneHere;
let client: ApiClient;
let python: string;
let config: string;

beforeAll(async () => {
  python = await pythonWith(at('requirements.txt'));
  service = await StandaloneHere.start();
  client = await service.client();
  // Requests from the document's own examples and from responses of lists.
  const names = ['a', 'b', 'c', 'd'];
  const signals = names.map((name, i) => [`${i}.json`, plainSignal(name, `h0${i % 2}`)]);
  const { body } = await client.zip(await zipOf(Object.fromEntries(signals)));
  await client.folded(body.uploadId);
  const settings = JSON.stringify({ jsonRequestsPerMinute: 1_000_000 });
  await client.request('PATCH', '/api/v3/settings', settings);
  config = await configFile();
}, INSTALL_MS_MAX);
afterAll(() => service.stopAndRemove());

/** Path of schemathesis.toml with the operations that this run leaves out of the coverage phase. */
async function configFile(): Promise<string> {
  const common = await readFile(at('schemathesis.toml'), 'utf8');
  const { body: document } = await client.request('GET', '/docs-json');
  const all = operationsOf(document);
  expect(all.length).toBeGreaterThan(SHARES);
  const leftOut = all.filter((name, i) => !isInRun(i, SHARES) && !common.includes(`"${name}"`));
  const added = leftOut.map(
    (name) => `\n[[operations]]\ninclude-name = "${name}"\nphases.coverage.enabled = false\n`,
  );
  const path = join(service.dataDir, 'schemathesis.toml');
  await writeFile(path, common + added.join(''));
  return path;
}

/** Such as `GET /api/v3/findings`. */
function operationsOf({ paths }: { paths: Record<string, object> }): string[] {
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return names.sort();
}

async function accessToken(): Promise<string> {
  const basic = Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64');
  const response = await fetch(`${service.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

/** Returns its output, and whether it succeeded. */
async function schemathesis(...args: string[]): Promise<{ isWell: boolean; output: string }> {
  const token = await accessToken();
  const options = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    config,
    'run',
    `${service.url}/docs-json`,
    '--header',
    `Authorization: Bearer ${token}`,
    '--checks',
    CHECKS.join(),
    '--seed',
    SEED,
    '--warnings',
    'off',
    '--no-color',
    // Skips an endless stream, and requests that could end the token of this run: both have separate tests.
    '--exclude-path',
    '/api/v3/changes',
    '--exclude-path-regex',
    '/credentials/.id',
    ...args,
  ];
  return new Promise((resolve) => {
    execFile(
      python,
      options,
      {
        timeout: RUN_MS_MAX,
        maxBuffer: 256 * 1024 * 1024,
        cwd: service.dataDir,
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'hooks',
          PYTHONPATH: at('.'),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
      (error, stdout, stderr) => {
        resolve({ isWell: error === null, output: (stdout + stderr).slice(0, REPORT_CHARACTERS) });
      },
    );
  });
}

describe('the OpenAPI document is true (schemathesis)', () => {
  it(
    'no request causes a 5xx or an undocumented response, and no invalid one is accepted',
    async () => {
      const { isWell, output } = await schemathesis(
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
});
