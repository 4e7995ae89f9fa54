import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Clock, Config, Logger } from '#libs/config';
import type { Schema } from '#libs/database';
import { writeDurably } from '#libs/durable-file';
import { ALL_ROWS } from '#libs/tables';
import type { BasicCredentials } from './basic-credentials.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { PasswordHasher } from './password-hasher.ts';

const FILE = 'initial-credentials';
const PASSWORD_BYTES = 18;

export interface FirstAdminParts {
  config: Pick<Config, 'adminUsername' | 'adminPassword' | 'dataDir'>;
  db: Kysely<Schema>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}

/**
 * Creates the first admin if no admin can sign in, as in a new site, or one whose restore has ended them all: as
 * POSTURE_ADMIN_USERNAME and POSTURE_ADMIN_PASSWORD say, otherwise `admin` with a password of 24 random characters.
 * A generated password is answered, for printing once, and written to DATA_DIR/initial-credentials (0600);
 * null if nothing was made or the operator chose the password.
 * If somebody else has the user name, it logs how to continue: uploads need no admin.
 */
export async function firstAdmin({
  config,
  db,
  clock,
  logger,
}: FirstAdminParts): Promise<BasicCredentials | null> {
  const credentials = new CredentialsRepository(db);
  if (await credentials.hasAdmin()) return null;
  const username = config.adminUsername ?? 'admin';
  const password = config.adminPassword ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  // The file comes first: a crash in between costs a stray file, never the only copy of a password.
  if (!config.adminPassword) await writeCredentials(config.dataDir, { username, password });
  const passwordHash = await new PasswordHasher().hash(password);
  const admin = { id: randomUUID(), username, passwordHash, role: 'admin', ...ALL_ROWS } as const;
  const isAdded =
    (await credentials.add(admin, clock())) || (await credentials.unlockAdmin(username, passwordHash));
  if (!isAdded && !(await credentials.hasAdmin())) {
    logger.error(
      `no admin can sign in, and the user name ${username} is taken: set POSTURE_ADMIN_USERNAME to another one, and start again`,
    );
  }
  if (config.adminPassword) return null;
  if (isAdded) return { username, password };
  // Another gateway was faster, with a file in its own DATA_DIR, or the name is taken: this password opens nothing.
  await rm(join(config.dataDir, FILE), { force: true });
  return null;
}

const writeCredentials = (folder: string, { username, password }: BasicCredentials): Promise<void> =>
  writeDurably(join(folder, FILE), `username=${username}\npassword=${password}\n`);
