import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = join(ROOT, 'client');
const textOf = (path: string) => readFile(join(ROOT, path), 'utf8');

/** The parts of the package that a user's program uses. */
const PROGRAM = `
import { ApiError, createClient, type Change, type Item, type Schemas } from '@risk-posture/client';

const posture = createClient({ url: 'http://127.0.0.1:8080', token: () => Promise.resolve('t') });

export async function use(zip: Blob, id: string): Promise<void> {
  const upload: Schemas['ZipAnswerDto'] = await posture.uploadZip(zip.stream(), { skipInvalid: true });
  const { outcome } = await posture.waitUntilFolded(upload);
  const created: number = outcome.created;
  const finding = await posture.get('/api/v3/findings/{id}', { params: { path: { id } } });
  const state: 'Failed' | 'Qualified' | 'NotAssessed' | 'AcceptedFailed' | 'Retired' = finding.state;
  for await (const item of posture.items('/api/v3/assets', { params: { query: { limit: 1 } } })) {
    const asset: Item<'/api/v3/assets'> = item;
    console.log(asset.name, created, state);
  }
  for await (const change of posture.changes({ topics: ['scores'] })) {
    const known: Change = change;
    if (known.kind === 'score') console.log(known.data.score?.toFixed(2));
    // @ts-expect-error: callers with limits do not get it
    if (known.kind === 'asset') console.log(known.data.change.position.offset);
  }
  await posture.delete('/api/v3/credentials/{id}', { params: { path: { id } } });
  const { data } = await posture.raw.GET('/api/v3/findings/export', {
    params: { query: { format: 'csv' } },
    parseAs: 'stream',
  });
  console.log(data);
  // @ts-expect-error: the path needs its id
  await posture.get('/api/v3/findings/{id}');
  // @ts-expect-error: no such route
  await posture.get('/api/v3/nothing');
  // @ts-expect-error: no list
  posture.items('/api/v3/findings/{id}', { params: { path: { id } } });
  // @ts-expect-error: credentials or a token
  createClient({ url: '' });
}
export const isOurs = (error: unknown): error is ApiError => error instanceof ApiError;
`;

const STRICT = { target: 'es2022', strict: true, noEmit: true };
const NODE = { module: 'node16', moduleResolution: 'node16', lib: ['es2022'], types: ['node'] };
const BROWSER = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };
/** Optional fields have other types with exactOptionalPropertyTypes. */
const COMPILERS = {
  node: { ...NODE, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  browser: BROWSER,
};

let project: string;
/** What npm has packed. */
let packed: string[];

/** A project that has installed the package as npm packs it. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'posture-client-'));
  const installed = join(project, 'node_modules/@risk-posture/client');
  await mkdir(installed, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: CLIENT });
  const [{ filename, files }] = JSON.parse(stdout);
  packed = files.map(({ path }: { path: string }) => path);
  await run('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await writeFile(join(project, 'program.ts'), PROGRAM);
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the package of the client', () => {
  it('is as publint wants it', async () => {
    const { publint } = await import('publint');
    const { messages } = await publint({ pkgDir: CLIENT, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('has the declared files, and no test', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'NOTICE',
        'README.md',
        'dist/index.d.ts',
        'dist/index.js',
        'package.json',
      ]),
    );
    const others = packed.filter(
      (path) => !/^(LICENSE|NOTICE|README\.md|package\.json|dist\/[\w-]+\.(d\.ts|js))$/.test(path),
    );
    expect(others).toEqual([]);
  });

  it('declares the licence of the service and contains its text', async () => {
    const [root, client] = (await Promise.all(['package.json', 'client/package.json'].map(textOf))).map(
      (text) => JSON.parse(text),
    );
    expect([root.license, client.license]).toEqual(['Apache-2.0', 'Apache-2.0']);
    expect(await textOf('client/LICENSE')).toBe(await textOf('LICENSE'));
  });

  it('says the version, the Node and the openapi-fetch of the service', async () => {
    const [root, client] = (await Promise.all(['package.json', 'client/package.json'].map(textOf))).map(
      (text) => JSON.parse(text),
    );
    expect([client.version, client.engines]).toEqual([root.version, root.engines]);
    expect(client.dependencies).toEqual({ 'openapi-fetch': `^${root.dependencies['openapi-fetch']}` });
  });

  it('is imported by Node', async () => {
    const program =
      "import('@risk-posture/client').then((module) => console.log(Object.keys(module).sort().join()))";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    expect(stdout).toBe(
      'AccessChangedError,ApiError,EventTooLargeError,NotFoldedError,RevokedError,createClient\n',
    );
  });

  it.each(Object.entries(COMPILERS))(
    'has types for programs of a %s',
    async (name, options) => {
      const file = `tsconfig.${name}.json`;
      const config = { compilerOptions: { ...STRICT, ...options }, files: ['program.ts'] };
      await writeFile(join(project, file), JSON.stringify(config));
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const { stdout } = await run(process.execPath, [tsc, '-p', file], { cwd: project }).catch(
        (failure) => failure,
      );
      expect(stdout).toBe('');
    },
    120_000,
  );
});
