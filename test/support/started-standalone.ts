import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './api-client.ts';
import { StartedProgram } from './started-program.ts';

export const ADMIN = { username: 'admin', password: 'a-password-for-tests' };

export const ADMIN_ENV = {
  POSTURE_ADMIN_USERNAME: ADMIN.username,
  POSTURE_ADMIN_PASSWORD: ADMIN.password,
};

/** Of most started services: an idle one polls each partition, and `verify` compares each. */
export const FEW_PARTITIONS = { LOG_PARTITIONS: '3' };
/** As users start it, with 12. */
export const DEFAULT_PARTITIONS = { LOG_PARTITIONS: '' };

/** The built service, as `npm start` runs it, on a separate data directory. */
export class StartedStandalone {
  private constructor(
    readonly dataDir: string,
    private readonly program: StartedProgram,
  ) {}

  /**
   * @param dataDir kept by the caller for a start after a stop or a kill; new if omitted
   * @param env in addition to that of every test start
   * @param within as of `StartedProgram`
   */
  static async start(
    dataDir?: string,
    env: Record<string, string> = {},
    within: readonly string[] = [],
  ): Promise<StartedStandalone> {
    const folder = dataDir ?? (await temporaryDataDir());
    const all = { DATA_DIR: folder, ...ADMIN_ENV, ...FEW_PARTITIONS, ...env };
    const program = await StartedProgram.start('standalone', all, { within });
    return new StartedStandalone(folder, program);
  }

  get url(): string {
    return this.program.url;
  }

  /** Everything that it wrote to standard output and standard error. */
  get log(): string {
    return this.program.log;
  }

  get pid(): number {
    return this.program.pid;
  }

  /** A client that is signed in as the first admin. */
  client(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, ADMIN);
  }

  /** As a power cut would: nothing is closed. */
  kill(): Promise<void> {
    return this.program.kill();
  }

  /** As Ctrl-C does. Returns the exit code. */
  stop(): Promise<number | null> {
    return this.program.stop();
  }

  async stopAndRemove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Readable for PostgreSQL, which runs as another user if the tests run as root. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-e2e-'));
  await chmod(folder, 0o755);
  return folder;
}
