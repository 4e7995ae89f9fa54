import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

const BYTES_MAX = 16_384;

/** The variable that names the file of a secret. */
export const fileVariableOf = (variable: string) => `${variable}_FILE`;

/**
 * The value of a secret variable: its own, or the content of the file that its `_FILE` variable names, without a line
 * end at its end. An empty variable counts as unset.
 * @throws ConfigError if both are set, or as `readSecretFile`
 */
export function secretOf(env: Record<string, string | undefined>, variable: string): string | undefined {
  const path = env[fileVariableOf(variable)];
  if (!path) return env[variable];
  if (env[variable]) {
    throw new ConfigError(`set ${variable} or ${fileVariableOf(variable)}, not both`);
  }
  return readSecretFile(variable, path);
}

/**
 * The content of a file of at most 16 KiB, without a line end at its end.
 * @throws ConfigError if it cannot be read, is empty or too large; never with its content
 */
export function readSecretFile(variable: string, path: string): string {
  const text = textOf(path);
  if (typeof text !== 'string') throw unfit(variable, path, text.problem);
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw unfit(variable, path, 'it is empty');
  return secret;
}

function textOf(path: string): string | { problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: 'it is not a file' };
    if (stats.size > BYTES_MAX) return { problem: `it has more than ${BYTES_MAX} bytes` };
    return readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `it cannot be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

const unfit = (variable: string, path: string, problem: string) =>
  new ConfigError(
    `${fileVariableOf(variable)} must be the path of a file with the value of ${variable} (${JSON.stringify(path)}: ${problem})`,
  );
