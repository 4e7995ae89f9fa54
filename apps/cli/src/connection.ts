import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, secretOf } from '#libs/config';
import { usageError } from './cli-error.ts';

/** The address of the service, and the credentials or API token of the caller. */
export interface Connection {
  /** Without a slash at the end. */
  url: string;
  access: { username: string; password: string } | { token: string };
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
  const [password, token] = [secretIn(env, 'POSTURE_PASSWORD'), secretIn(env, 'POSTURE_TOKEN')];
  if (token) {
    if (username || password) {
      throw usageError('set POSTURE_TOKEN, or POSTURE_USERNAME and POSTURE_PASSWORD, not both');
    }
    if (!/^[!-~]+$/.test(token)) throw usageError('POSTURE_TOKEN must be a token without white space');
    return { url: trimmed(url), access: { token } };
  }
  if (username && password) return { url: trimmed(url), access: { username, password } };
  if (username || password) throw usageError('set both POSTURE_USERNAME and POSTURE_PASSWORD, or neither');
  return { url: trimmed(url), ...(await initialCredentials(url, env.DATA_DIR || './.data')) };
}

/** @throws CliError exit 2 if its file cannot be read */
function secretIn(env: Record<string, string | undefined>, variable: string): string | undefined {
  try {
    return secretOf(env, variable);
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
  if (username && password) return { access: { username, password }, credentialsFile };
  const damaged = text === null ? '' : `${credentialsFile} does not contain a username and password: `;
  throw usageError(
    `${damaged}set POSTURE_USERNAME and POSTURE_PASSWORD to the API credentials of the service`,
  );
}
