import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from '@jest/globals';
import { type DebianTool, toolPath, whyNoTool } from '../support/debian-packages.ts';

/** Prometheus' own checks; Debian brings them with the server, which is not installed for them. */
const PROMTOOL: DebianTool = { package: 'prometheus', command: 'promtool', path: 'usr/bin/promtool' };

const FOLDER = fileURLToPath(new URL('../../deploy/observe/', import.meta.url));
const RUN_MS_MAX = 60_000;

/** Runs promtool in deploy/observe. Returns its output. @throws Error with the output, if it finds an error */
export async function promtool(...args: string[]): Promise<string> {
  const command = await toolPath(PROMTOOL);
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: FOLDER, timeout: RUN_MS_MAX }, (error, out, err) =>
      error ? reject(new Error(`promtool ${args.join(' ')}: ${out}${err}`)) : resolve(`${out}${err}`),
    );
  });
}

/** In CI promtool must run; elsewhere its specs are skipped if it cannot, and counted so. */
export function describePromtool(name: string, specs: () => void): void {
  const whyNot = whyNoTool(PROMTOOL);
  if (whyNot === undefined) describe(name, specs);
  else if (process.env.CI !== 'true') describe.skip(`${name} (skipped: ${whyNot})`, specs);
  else {
    it(`${name} can run`, () => {
      throw new Error(`promtool cannot be run here, and in CI it must: ${whyNot}`);
    });
  }
}
