import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import dockerignore from '@balena/dockerignore';

/** The repository: what `docker build .` is given. */
export const CONTEXT = fileURLToPath(new URL('../..', import.meta.url));

const ignored = dockerignore.default().add(
  readFileSync(join(CONTEXT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

/** Whether COPY can copy a path of the repository: it exists, and .dockerignore does not exclude it. */
export const isInContext = (path: string): boolean =>
  existsSync(join(CONTEXT, path)) && (path === '' || !ignored.ignores(path));

/** The same for an absolute path below the repository. */
export const isCopied = (absolute: string): boolean => isInContext(relative(CONTEXT, absolute));
