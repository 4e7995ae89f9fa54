import { execFile } from 'node:child_process';
import { expect } from '@jest/globals';

/** A drill leaves millions of rows. */
const COMMAND_MS_MAX = process.env.DRILL === 'long' ? 1_800_000 : 120_000;

/**
 * Runs the built command line and answers what it printed.
 * @param env how it finds the site: DATA_DIR of a running one, or DATABASE_URL and KAFKA_BROKERS
 * @throws Error with its output where it does not end with 0
 */
export const posture = (env: Record<string, string>, ...args: string[]): Promise<string> =>
  postureWithin([], env, ...args);

/** @param within as of `StartedProgram` */
export function postureWithin(
  within: readonly string[],
  env: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const [command, ...all] = [...within, process.execPath, 'apps/cli/posture.js', ...args];
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: COMMAND_MS_MAX };
    execFile(command!, all, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`posture ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Every row of the live tables is what the log says, as an auditor would ask. */
export async function expectVerified(env: Record<string, string>): Promise<void> {
  expect(await posture(env, 'verify')).toMatch(/^Clean: \d+ rows are what the \d+ records of the log say\n$/);
}
