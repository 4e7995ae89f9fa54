import { describe, it } from '@jest/globals';
import { type DebianPackage, whyNoPackages } from '../support/debian-packages.ts';
import { describeOwnKafka } from '../support/kafka.ts';

/** What npm does not bring: kcat, and a Python that can make virtual environments. */
export const NEEDED_PACKAGES: readonly DebianPackage[] = [
  { name: 'kcat', probe: ['kcat', '-V'] },
  { name: 'python3-venv', probe: ['python3', '-c', 'import venv, ensurepip'] },
];

/** In CI others' readers must run; elsewhere they are skipped if they cannot, and counted so. */
const mustRun = process.env.CI === 'true';

/** A `describe` of specs that read an own Kafka with programs that are not ours. */
export function describeConsumers(name: string, specs: () => void): void {
  const whyNot = whyNoPackages(NEEDED_PACKAGES);
  if (whyNot === undefined) describeOwnKafka(name, specs);
  else if (!mustRun) describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`others' readers cannot be run here, and in CI they must: ${whyNot}`);
    });
  }
}
