import { describe, it } from '@jest/globals';
import { type DebianPackage, whyNoPackages } from '../support/debian-packages.ts';

/** What npm does not bring: a Python that can make virtual environments. */
export const NEEDED_PACKAGES: readonly DebianPackage[] = [
  { name: 'python3-venv', probe: ['python3', '-c', 'import venv, ensurepip'] },
];

/** A `describe` of specs that run public clients of DefectDojo: in CI they must run, elsewhere they may be skipped. */
export function describeClients(name: string, specs: () => void): void {
  const whyNot = whyNoPackages(NEEDED_PACKAGES);
  if (whyNot === undefined) describe(name, specs);
  else if (process.env.CI !== 'true') describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`the clients of DefectDojo cannot be run here, and in CI they must: ${whyNot}`);
    });
  }
}
