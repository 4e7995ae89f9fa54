import { fileURLToPath } from 'node:url';

/** The project's folder, absolute, with a slash at its end; from the sources and from the build. */
export const ROOT = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url),
);
