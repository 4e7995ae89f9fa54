import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { installPackages, whyNoPackages } from '../../support/debian-packages.ts';
import { PYTHON_MS_MAX, pythonWith } from '../../support/python-environment.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import { buildText, type Manifest, OVERLAYS, type Overlay, parseManifests } from './manifests.ts';
import { isOfOperator, problemsOf } from './operator-schemas.ts';

/** The oldest version that has all that the files use, and a new one. */
const VERSIONS = ['1.30', '1.37'];
const PACKAGES = [
  { name: 'python3-venv', probe: ['python3', '-c', 'import venv, ensurepip'] as [string, ...string[]] },
];

describeKubernetes('the objects of deploy/kubernetes', () => {
  let python: string;
  let folder: string;
  const texts = Object.fromEntries(OVERLAYS.map((overlay) => [overlay, buildText(overlay)])) as Record<
    Overlay,
    string
  >;

  beforeAll(async () => {
    if (whyNoPackages(PACKAGES) === undefined) await installPackages(PACKAGES);
    python = await pythonWith(fileURLToPath(new URL('requirements.txt', import.meta.url)));
    folder = await mkdtemp(join(tmpdir(), 'posture-kubernetes-'));
  }, PYTHON_MS_MAX);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /**
   * Checks by Kubernetes' own OpenAPI document, without unknown fields. Returns the errors, and the number of valid
   * objects.
   */
  async function validate(
    manifests: Manifest[],
    version: string,
  ): Promise<{ problems: string[]; right: number }> {
    const file = join(folder, 'objects.yaml');
    await writeFile(file, manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
    const args = ['-m', 'kubernetes_validate', '--strict', '-k', version, file];
    const { stdout, stderr } = spawnSync(python, args, { encoding: 'utf8' });
    const lines = stdout.split('\n').filter((line) => line !== '');
    const right = lines.filter((line) => line.startsWith('INFO ')).length;
    return {
      problems: [...lines.filter((line) => !line.startsWith('INFO ')), stderr].filter(Boolean),
      right,
    };
  }

  const ownOf = (text: string) => parseManifests(text).filter((manifest) => !isOfOperator(manifest));

  it.each(VERSIONS)(
    'are objects of Kubernetes %s',
    async (version) => {
      const own = OVERLAYS.flatMap((overlay) => ownOf(texts[overlay]));
      expect(own.length).toBeGreaterThan(40);
      expect(await validate(own, version)).toEqual({ problems: [], right: own.length });
    },
    60_000,
  );

  it('are rejected if a field is misspelt, or its value has another type', async () => {
    const wrong = ownOf(
      texts.small
        .replace('readOnlyRootFilesystem:', 'readonlyRootFilesystem:')
        .replace('maxUnavailable: 1', 'maxUnavailable: [1]'),
    );
    const { problems } = await validate(wrong, VERSIONS[0]!);
    expect(problems.join('\n')).toContain('readonlyRootFilesystem');
    expect(problems.join('\n')).toContain('maxUnavailable');
  }, 60_000);

  it.each(OVERLAYS)('of %s: those of the operators are such as the operators know', (overlay) => {
    const theirs = parseManifests(texts[overlay]).filter(isOfOperator);
    expect(theirs.length).toBeGreaterThan(7);
    expect(theirs.flatMap(problemsOf)).toEqual([]);
    const misspelt = parseManifests(texts[overlay].replaceAll('instances:', 'replicas:')).filter(
      isOfOperator,
    );
    expect(misspelt.flatMap(problemsOf)).not.toEqual([]);
  });
});
