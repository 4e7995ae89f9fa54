import { execFile } from 'node:child_process';
import { expect } from '@jest/globals';
import { NPM_PROGRAMS } from '#libs/database';
import { runPosture } from '../../apps/cli/src/posture.ts';
import { recordingTerminal } from '../fixtures/cli/simulated-service.ts';
import { COMPILED } from './started-program.ts';

/** A drill leaves millions of rows. */
const COMMAND_MS_MAX = process.env.DRILL === 'long' ? 1_800_000 : 120_000;

/**
 * Runs a command line in this process, which saves the start of another, and returns its output.
 * @param env variables to find the site: DATA_DIR of a running one, or DATABASE_URL and KAFKA_BROKERS
 * @throws Error with its output and exit `code` if that is not 0
 */
export async function posture(env: Record<string, string>, ...args: string[]): Promise<string> {
  const terminal = recordingTerminal(commandEnv(env));
  const code = await runPosture(args, terminal);
  if (code === 0) return terminal.out();
  const message = `posture ${args.join(' ')}: ended with ${code}\n${terminal.out()}${terminal.err()}`;
  throw Object.assign(new Error(message), { code });
}

/** The built command line as a process of its own: for what depends on the process, such as its clock or its files. */
export const startedPosture = (env: Record<string, string>, ...args: string[]): Promise<string> =>
  postureWithin([], env, ...args);

const commandEnv = (env: Record<string, string>) => ({
  PATH: process.env.PATH,
  POSTGRES_BIN: NPM_PROGRAMS,
  ...env,
});

/** @param within as of `StartedProgram` */
export function postureWithin(
  within: readonly string[],
  env: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const [command, ...all] = [...within, process.execPath, 'apps/cli/posture.js', ...args];
  return new Promise((resolve, reject) => {
    const options = {
      env: { ...COMPILED, ...commandEnv(env) },
      timeout: COMMAND_MS_MAX,
    };
    execFile(command!, all, options, (error, stdout, stderr) => {
      if (error) {
        const message = `posture ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`;
        reject(Object.assign(new Error(message), { code: error.code }));
      } else resolve(stdout);
    });
  });
}

const VERIFY_TRIES_MAX = 3;

/**
 * Verifies every row of the live tables against the log, as an auditor would, but without a separate process. A database
 * that others keep busy refuses it, and `verify` says to try again; a difference is never tried again.
 */
export async function expectVerified(env: Record<string, string>): Promise<void> {
  // After an upgrade, totals of a partition may still be counted; their own specs compare them.
  const clean = expect.stringMatching(
    /^Clean: \d+ rows match the \d+ records of the log\n(Counting {3}partition \d+: .*\n)*$/,
  );
  for (let tries = 1; ; tries++) {
    const terminal = recordingTerminal(env);
    const exitCode = await runPosture(['verify'], terminal);
    const err = exitCode === 0 ? '' : terminal.err();
    if (exitCode === 1 && !err.includes('differ from the log') && tries < VERIFY_TRIES_MAX) {
      process.stdout.write(`posture verify was refused: ${err}\n`);
      continue;
    }
    expect({ exitCode, out: terminal.out(), err }).toEqual({ exitCode: 0, out: clean, err: '' });
    return;
  }
}
