import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Follower } from '../consumers/follower.ts';
import { ApiClient } from '../support/api-client.ts';
import { pageBlocks } from '../support/page-blocks.ts';
import { ProjectClone } from '../support/project-clone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const run = promisify(execFile);

const blocks = pageBlocks('README.md').flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

describe('every command of the README but npm test, in its order', () => {
  let clone: ProjectClone;
  const ran: string[] = [];

  beforeAll(async () => {
    clone = await ProjectClone.make();
  });
  afterAll(() => clone.stopAndRemove(), 60_000);

  /** One shell for all blocks would hide that a newcomer pastes them one by one: variables exist only within a block. */
  async function paste(commands: string, timeoutMs: number): Promise<string> {
    ran.push(...commands.split('\n'));
    const { stdout } = await run('bash', ['-euc', clone.here(commands)], {
      cwd: clone.folder,
      env: clone.env,
      timeout: timeoutMs,
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout;
  }
  const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;
  const signIn = blockWith('TOKEN=');

  it('npm start prints an address, credentials, and a curl line that works when pasted', async () => {
    ran.push(blockWith('npm start'));
    const output = await clone.start();
    const curl = /^ *(curl .*)$/m.exec(output)![1]!;
    expect(JSON.parse(await paste(curl, 10_000))).toMatchObject({ status: 'success', expiresIn: 3600 });
    ran.pop();
  }, 120_000);

  it('a first upload, and the preview of a second one', async () => {
    expect(await paste(blockWith('npx posture upload examples'), 60_000)).toMatch(/created/);
    expect(await paste(blockWith('--dry-run'), 60_000)).toMatch(/nothing was stored/);
  }, 60_000);

  it('one signal as JSON, and a look at the findings', async () => {
    const answers = (await paste(signIn, 10_000)).split('\n');
    const [sent, found] = answers.map((answer) => JSON.parse(answer));
    expect(sent).toMatchObject({ success: true, accepted: 1 });
    const log4shell = { name: expect.stringContaining('Log4Shell'), state: 'Failed' };
    expect(found.items).toContainEqual(expect.objectContaining(log4shell));
  }, 30_000);

  it('a credential for a scanner', async () => {
    expect(await paste(blockWith('posture credentials'), 30_000)).toMatch(/^[\w-]{24}\n$/);
  }, 30_000);

  it('a first integration, with the simulators', async () => {
    const command = blockWith('npm run simulators');
    ran.push(command);
    const simulators = Follower.start(`cd "$0" && ${command} -- --port 0`, {
      args: [clone.folder],
      env: clone.env,
    });
    try {
      await simulators.untilPrinted('an address', () =>
        simulators.lines.some((line) => line.includes('secret')),
      );
      const [, port] = /Simulators on http:\S+:(\d+)/.exec(simulators.lines.join('\n'))!;
      const block = blockWith('/integration ');
      const here = `${signIn} >/dev/null\n${block.replace(':8090', `:${port}`)}`;
      expect(await paste(here, 30_000)).toMatch(/"syncId":"[^"]*"\}\n$/);
      ran.push(...block.split('\n'));
      const client = await ApiClient.signIn(clone.here('http://127.0.0.1:8080'), await clone.credentials());
      await until('the first sync', async () => {
        const { items } = await client.get('/integrations');
        return items[0].sync?.statusName === 'Success';
      });
    } finally {
      await simulators.interrupt();
    }
  }, 120_000);

  it('a first audit', async () => {
    const audit = await paste(`${signIn} >/dev/null\n${blockWith('posture explain')}`, 120_000);
    expect(audit).toMatch(
      /Finding +Apache Log4j2[\s\S]*Created: Failed[\s\S]*"findings":\[\{[\s\S]*\nClean: /,
    );
  }, 120_000);

  it('the demo', async () => {
    expect(await paste(blockWith('npm run demo'), 300_000)).toMatch(/\d/);
  }, 300_000);

  it(
    'left tables that equal the fold of the log',
    () => expectVerified({ DATA_DIR: join(clone.folder, '.data') }),
    120_000,
  );

  it('omitted none', () => {
    const commands = blocks.flatMap((block) => block.split('\n')).filter((line) => line !== 'npm test');
    expect(commands.filter((line) => !ran.some((command) => command.startsWith(line)))).toEqual([]);
  });
});
