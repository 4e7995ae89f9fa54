import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, secretOf } from '#libs/config';
import { usageError } from './cli-error.ts';

/** The address of the service and the caller's credentials. */
export interface Connection {
  /** Without a slash at the end. */
  url: string;
  username: string;
  password: string;
  /** The file of the first start, if the credentials are from there and not from the environment. */
  credentialsFile?: string;
}

/**
 * The connection from the environment; `url` given on the command line wins.
 * @throws CliError exit 2 with what to set; never prints an address that contains a password
 */
export async function readConnection(
  env: Record<string, string | undefined>,
  urlOption?: string,
): Promise<Connection> {
  const url = parseAddress(urlOption ?? (env.POSTURE_URL || 'http://127.0.0.1:8080'));
  const { POSTURE_USERNAME: username } = env;
  const password = passwordOf(env);
  if (username && password) return { url: trimmed(url), username, password };
  if (username || password) throw usageError('set both POSTURE_USERNAME and POSTURE_PASSWORD, or neither');
  return { url: trimmed(url), ...(await initialCredentials(url, env.DATA_DIR || './.data')) };
}

/** @throws CliError exit 2 if the file of POSTURE_PASSWORD_FILE cannot be read */
function passwordOf(env: Record<string, string | undefined>): string | undefined {
  try {
    return secretOf(env, 'POSTURE_PASSWORD');
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(error.message);
    throw error;
  }
}

function parseAddress(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError(
      'the service address must be an HTTP or HTTPS URL such as http://127.0.0.1:8080 (POSTURE_URL or --url)',
    );
  }
  if (url.username || url.password) {
    throw usageError(
      'the service address must not contain a user name or password: set POSTURE_USERNAME and POSTURE_PASSWORD',
    );
  }
  return url;
}

const trimmed = (url: URL) => `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;

const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** The credentials of the first start; only for an address on this machine, so that they are never sent elsewhere. */
async function initialCredentials(url: URL, dataDir: string): Promise<Omit<Connection, 'url'>> {
  const credentialsFile = join(dataDir, 'initial-credentials');
  const text = isLoopback(url) ? await readFile(credentialsFile, 'utf8').catch(() => null) : null;
  const lineOf = (key: string) => new RegExp(`^${key}=(.+?)\\r?$`, 'm').exec(text ?? '')?.[1];
  const [username, password] = [lineOf('username'), lineOf('password')];
  if (username && password) return { username, password, credentialsFile };
  const damaged = text === null ? '' : `${credentialsFile} does not contain a username and password: `;
  throw usageError(
    `${damaged}set POSTURE_USERNAME and POSTURE_PASSWORD to the API credentials of the service`,
  );
}
