import { describe, it } from '@jest/globals';
import { type DebianPackage, whyNoPackages } from '../support/debian-packages.ts';
import { hasChanged } from '../support/part-of-run.ts';

/** The browser that the console is tested in: Chromium without a desktop to draw on, a third faster. */
export const CHROMIUM: DebianPackage = {
  name: 'chromium-headless-shell',
  probe: ['chromium-headless-shell', '--version'],
};

/** In CI the browser is required. Elsewhere these specs are skipped and reported if it cannot run. */
const mustRun = process.env.CI === 'true';

/** A `describe` of specs that test the console in a real browser. */
export function describeConsole(name: string, specs: () => void): void {
  const whyNot = whyNoPackages([CHROMIUM]);
  if (whyNot === undefined) describe(name, specs);
  else if (!mustRun) describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`the browser cannot run, but CI requires it: ${whyNot}`);
    });
  }
}

/** For `describeInRun`: specs of the console, of which a run has a third, or all if the console has changed. */
export const CONSOLE = {
  isDue: hasChanged('apps/console', 'client', 'test/console'),
  as: describeConsole,
};
