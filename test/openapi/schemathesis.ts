import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StandaloneHere } from '../support/standalone-here.ts';

const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export const RUN_MS_MAX = 600_000;
const REPORT_CHARACTERS = 8_000;

/** Fixed, so that an operation is asked the same in every run; set another one to search further. */
const SEED = process.env.SCHEMATHESIS_SEED ?? '1';

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

export interface SchemathesisRun {
  service: StandaloneHere;
  /** The interpreter that has it installed. */
  python: string;
  /** Path of its configuration. */
  config: string;
  /** Of the caller. */
  token: string;
}

/** Path of a file of its configuration and of what it installs. */
export const schemathesisFile = at;

/** Sends what the OpenAPI document says. Returns its output, and whether no check failed. */
export function schemathesis(
  { service, python, config, token }: SchemathesisRun,
  ...args: string[]
): Promise<{ isWell: boolean; output: string }> {
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
