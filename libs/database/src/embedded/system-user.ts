import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const USER = 'postgres';
const OTHERS_MAY_ENTER = 0o001;

/** The user that PostgreSQL runs as if the service runs as root; PostgreSQL refuses to run as root. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** The user for PostgreSQL, created if it is missing; undefined if the service does not run as root. */
export async function systemUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await lookUp()) ?? (await create());
}

async function lookUp(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, USER])).stdout)),
    );
    return { uid: uid!, gid: gid! };
  } catch {
    return undefined;
  }
}

async function create(): Promise<SystemUser> {
  try {
    await run('groupadd', ['--system', USER]).catch(() => undefined);
    await run('useradd', ['--system', '--gid', USER, '--no-create-home', USER]);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and the user ${USER} could not be created: start the service as another user`,
      { cause: error },
    );
  }
  return (await lookUp())!;
}

/**
 * @throws Error naming the first folder above `path` that the user may not enter, and what to do
 */
export async function assertReachable(path: string, { uid }: SystemUser): Promise<void> {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.at(-1) !== folder; folder = dirname(folder)) folders.push(folder);
  for (const folder of folders.reverse()) {
    const { mode, uid: owner } = await stat(folder);
    if (owner !== uid && (mode & OTHERS_MAY_ENTER) === 0) {
      throw new Error(
        `PostgreSQL runs as the user ${USER}, who has no access to ${folder} (needed for ${path}): ` +
          `run chmod o+x ${folder}, move it elsewhere (DATA_DIR), or start the service as another user than root`,
      );
    }
  }
}
