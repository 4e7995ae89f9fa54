import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../test/fixtures/cli/simulated-service.ts';
import { runPosture } from './posture.ts';

const NAMELESS = 54_321;
const ELSEWHERE = 'postgres://nobody@127.0.0.1:1/none';
const OTHER_USER =
  /^posture: DATA_DIR \(\S+\) belongs to another user: run the command as that user \(sudo -u '#54321' …\), not as root\n$/;

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot('a command as root on the site of another user', () => {
  let dir: string;
  let dataDir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'posture-user-'));
    dataDir = await mkdtemp(join(dir, 'site-'));
    await chown(dataDir, NAMELESS, NAMELESS);
  });
  afterEach(() => rm(dir, { recursive: true }));

  const at = (name: string) => join(dir, name);

  async function run(databaseUrl: string, ...args: string[]) {
    const terminal = recordingTerminal({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
    return { exitCode: await runPosture(args, terminal), err: terminal.err() };
  }

  async function expectRefused(databaseUrl: string, ...args: string[]): Promise<void> {
    expect(await run(databaseUrl, ...args)).toEqual({ exitCode: 2, err: expect.stringMatching(OTHER_USER) });
    expect(await readdir(dataDir)).toEqual([]);
    expect(await readdir(dir)).toHaveLength(1);
  }

  it('names the user and changes nothing if it would start PostgreSQL', async () => {
    await expectRefused('', 'export-log', at('file'));
    await expectRefused('', 'backup', at('backup'));
    await expectRefused('', 'keys', 'rotate');
    await expectRefused('', 'demo', '--days', '30');
  });

  it.each(['', ELSEWHERE])(
    'names the user and changes nothing if it would write there: DATABASE_URL=%s',
    async (databaseUrl) => {
      await expectRefused(databaseUrl, 'archive', at('archive'), '--to', at('checkpoint'));
      await expectRefused(databaseUrl, 'demo', '--days', '30');
    },
  );

  it('runs if the service of the site has always run as root', async () => {
    await writeFile(join(dataDir, 'postgres.claim'), '');
    expect(await run('', 'keys', 'rotate')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/no service has run on DATA_DIR/),
    });
  });

  it('runs with another database', async () => {
    expect((await run(ELSEWHERE, 'backup', at('backup'))).err).toMatch(/the database is unreachable/);
  });
});
