import { describe, it } from '@jest/globals';
import { whyNoKustomize } from './manifests.ts';

/** A `describe` of specs that build overlays: in CI they must run, elsewhere they may be skipped. */
export function describeKubernetes(name: string, specs: () => void): void {
  const whyNot = whyNoKustomize();
  if (whyNot === undefined) describe(name, specs);
  else if (process.env.CI !== 'true') describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can be built`, () => {
      throw new Error(`overlays cannot be built here, and in CI they must: ${whyNot}`);
    });
  }
}
