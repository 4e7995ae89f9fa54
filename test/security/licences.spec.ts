import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: unknown[];
  hashes?: unknown[];
}

let folder: string;
let document: { bomFormat: string; metadata: { component: Component }; components: Component[] };
let names: string[];

/** Fails where a licence is not among those that the script allows. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-sbom-'));
  await promisify(execFile)(process.execPath, ['scripts/sbom.mjs', folder]);
  document = JSON.parse(await readFile(join(folder, 'posture.cdx.json'), 'utf8'));
  names = document.components.map(({ name }) => name);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('npm run sbom', () => {
  it('lists what is shipped, the console included, and nothing of development', async () => {
    const { name, version, dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(document).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name, version } } });
    const console = ['react', 'react-dom', 'react-router', '@mantine/core', '@tanstack/react-query', 'uplot'];
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), ...console]));
    for (const tool of ['jest', 'dependency-cruiser', 'vite', '@biomejs/biome', 'playwright-core']) {
      expect(names).not.toContain(tool);
    }
  });

  it('names the source and the licence of each', async () => {
    const bare = document.components.filter(({ purl, licenses = [] }) => !purl || licenses.length === 0);
    expect(bare).toEqual([]);
    const table = await readFile(join(folder, 'licences.md'), 'utf8');
    for (const { name, version } of document.components) expect(table).toContain(`| ${name} | ${version} | `);
  });
});
