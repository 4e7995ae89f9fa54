import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders and files of the project that people write, without generated and recorded ones. */
const ROOTS = [
  ...['.ci', 'apps', 'bench', 'client', 'deploy', 'docs', 'examples', 'libs', 'migrations', 'schemas'],
  ...[
    'scripts',
    'test',
    '.dependency-cruiser.cjs',
    '.github',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'Dockerfile',
  ],
  ...['NOTICE', 'README.md', 'SECURITY.md', 'docker-compose.yml'],
];
const LEFT_OUT = /\/(node_modules|dist)\/|^libs\/catalogue\/data\/|^test\/(golden\/logs|docs)\/|\.tsv$/;
const TEXT =
  /\.(ts|tsx|js|mjs|cjs|json|avsc|yaml|yml|sql|md|sh|py|html|css|toml|txt|conf|service|timer)$|(^|\/)[^./]+$/;

/** Paths of the project's texts, from its root. */
export async function textFiles(): Promise<string[]> {
  const files = await Promise.all(ROOTS.map(filesIn));
  return files.flat().filter((path) => TEXT.test(path) && !LEFT_OUT.test(path));
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  const inside = entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .map((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]));
  return (await Promise.all(inside)).flat();
}

export const textOf = (path: string): Promise<string> => readFile(path, 'utf8');
