import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../fixtures/convert/reports.ts';
import type { ApiClient } from '../support/api-client.ts';
import { installPackages } from '../support/debian-packages.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';
import { describeClients, NEEDED_PACKAGES } from './describe-clients.ts';

const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const TOKEN = `${ADMIN.username}:${ADMIN.password}`;

describeClients('public clients of DefectDojo, unmodified', () => {
  let service: StandaloneHere;
  let client: ApiClient;
  let python: string;
  let report: string;

  beforeAll(async () => {
    await installPackages(NEEDED_PACKAGES);
    python = await pythonWith(at('requirements.txt'));
    service = await StandaloneHere.start();
    client = await service.client();
    report = join(service.dataDir, 'grype.json');
    await writeFile(report, fixtureNamed('Grype').content);
  }, PYTHON_MS_MAX);
  afterAll(() => service.stopAndRemove());

  /** Output of a client, which ends with 0. */
  async function run(args: string[], env: Record<string, string> = {}): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)(python, args, {
      cwd: service.dataDir,
      env: { ...process.env, SETUPTOOLS_USE_DISTUTILS: 'local', PYTHONDONTWRITEBYTECODE: '1', ...env },
    });
    return stdout + stderr;
  }

  /** Number of open findings of an asset, once it has any or none. */
  async function openFindings(asset: string, isExpected: (count: number) => boolean): Promise<number> {
    let open = 0;
    await until(`the findings of ${asset}`, async () => {
      const all = await client.all('/api/v3/findings?state=Failed');
      open = all.filter(({ assetName }) => assetName === asset).length;
      return isExpected(open);
    });
    return open;
  }

  it('dd-import 1.0.12 imports, and closes what is fixed', async () => {
    const env = {
      DD_URL: service.url,
      DD_API_KEY: TOKEN,
      DD_PRODUCT_TYPE_NAME: 'Web',
      DD_PRODUCT_NAME: 'dd-import',
      DD_ENGAGEMENT_NAME: 'nightly',
      DD_TEST_NAME: 'grype',
      DD_TEST_TYPE_NAME: 'Anchore Grype',
      DD_FILE_NAME: report,
      DD_BUILD_ID: '17',
    };
    const program = ['-m', 'dd_import.dd_reimport_findings'];
    expect(await run(program, env)).toMatch(/New test, {11}id: {2}\d+[\s\S]*Scan results imported/);
    expect(await openFindings('dd-import', (count) => count > 0)).toBeGreaterThan(0);
    const fixed = join(service.dataDir, 'fixed.json');
    const { content } = fixtureNamed('Grype');
    await writeFile(fixed, JSON.stringify({ ...JSON.parse(content), matches: [], ignoredMatches: [] }));
    expect(await run(program, { ...env, DD_FILE_NAME: fixed })).toMatch(
      /Test found, {9}id: {2}\d+[\s\S]*Scan results imported/,
    );
    expect(await openFindings('dd-import', (count) => count === 0)).toBe(0);
  });

  it('defectdojo-importer 0.0.4 imports, and reimports', async () => {
    const program = [
      '-c',
      'import sys; from importer.execute import main; sys.exit(main())',
      ...['--api-url', service.url, '--api-key', TOKEN, '--file', report],
      ...['--product-type-name', 'Web', '--product-name', 'importer', '--engagement-name', 'nightly'],
      ...['--test-type-name', 'Anchore Grype'],
    ];
    expect(await run(program)).toContain('Scan report imported successfully');
    expect(await run([...program, '--reimport'])).toContain('Scan report re-imported successfully');
    expect(await openFindings('importer', (count) => count > 0)).toBeGreaterThan(0);
  });

  it('defectdojo-api-generated 2.57.2 reads the answers', async () => {
    const output = await run([at('generated_client.py'), service.url, TOKEN, report]);
    const [imported, again] = JSON.parse(output);
    expect(imported).toEqual({
      test: expect.any(Number),
      test_id: imported.test,
      engagement_id: expect.any(Number),
      product_id: expect.any(Number),
      product_type_id: expect.any(Number),
    });
    expect(again).toEqual(imported);
    expect(await openFindings('generated', (count) => count > 0)).toBeGreaterThan(0);
  });

  it('what the clients stored is what the log says', async () => {
    await expectVerified(service.env);
  });
});
