import { describe, it } from '@jest/globals';
import { type DebianPackage, whyNoPackages } from '../support/debian-packages.ts';

/** A Python that can make virtual environments. */
export const NEEDED_PACKAGES: readonly DebianPackage[] = [
  { name: 'python3-venv', probe: ['python3', '-c', 'import venv, ensurepip'] },
];

/** In CI it must run; elsewhere it is skipped where it cannot, and counted so. */
const mustRun = process.env.CI === 'true';

/** A `describe` of specs that run a program in Python. */
export function describePython(name: string, specs: () => void): void {
  const whyNot = whyNoPackages(NEEDED_PACKAGES);
  if (whyNot === undefined) describe(name, specs);
  else if (!mustRun) describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`Python cannot be run here, and in CI it must: ${whyNot}`);
    });
  }
}
