import { beforeAll, describe } from '@jest/globals';
import { type DebianPackage, installPackages, whyNoPackages } from './debian-packages.ts';

const INSTALL_MS_MAX = 300_000;

/** Debian has its programs outside of the PATH. */
const POSTGRESQL: DebianPackage = {
  name: 'postgresql',
  probe: ['sh', '-c', 'command -v postgres || ls /usr/lib/postgresql/*/bin/postgres'],
};

/** A `describe` of specs that need a PostgreSQL of the system; skipped with the reason if it cannot be had. */
export function describeSystemPostgres(name: string, specs: () => void): void {
  const whyNot = whyNoPackages([POSTGRESQL]);
  if (whyNot !== undefined) {
    describe.skip(`${name} (skipped: ${whyNot})`, specs);
    return;
  }
  describe(name, () => {
    beforeAll(() => installPackages([POSTGRESQL]), INSTALL_MS_MAX);
    specs();
  });
}
