import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { knownFormats } from '#libs/reports';
import { FIXTURES } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';
import { SCAN_TYPES } from './scan-types.ts';

/** Clients send the name of the format instead. */
const WITHOUT_SCAN_TYPE = [
  'openvas-csv',
  'prisma-cloud-csv',
  'prowler-csv',
  'prowler-json',
  'sonarqube',
  'tenable-csv',
  'wiz-issues',
  'wiz-vulnerabilities',
];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-scan-types-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('all formats but these have a scan type of DefectDojo', () => {
  const named = new Set(SCAN_TYPES.map(({ format }) => format));
  const others = knownFormats(undefined).filter(({ name }) => !named.has(name));
  expect(others.map(({ name }) => name).sort()).toEqual(WITHOUT_SCAN_TYPE);
});

it('a scan type replaces all types of findings that its format reads', async () => {
  const missing = new Set<string>();
  for (const { format, fileName, content, asset } of FIXTURES) {
    const scanTypes = SCAN_TYPES.filter((each) => each.format === format);
    if (scanTypes.length === 0) continue;
    const { signals } = await runConvert(dir, { [fileName]: content }, ...(asset ? ['--asset', asset] : []));
    for (const { securityContext, securityContexts = [securityContext] } of signals)
      for (const context of securityContexts.filter((each: unknown) => each !== undefined))
        for (const { name, types } of scanTypes)
          if (!types.includes(context.type)) missing.add(`${name}: ${context.type}`);
  }
  expect([...missing]).toEqual([]);
});
