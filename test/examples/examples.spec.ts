import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Follower } from '../consumers/follower.ts';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { pageBlocks } from '../support/page-blocks.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { PastedTerminal } from '../support/pasted-terminal.ts';
import { ProjectClone } from '../support/project-clone.ts';
import { expectVerified } from '../support/verify.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const INSTALL_MS_MAX = 300_000;
/** More than a page of the programs' lists. */
const CRITICAL = 120;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const blocks = pageBlocks('examples/README.md').map(({ text }) => text);
const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;

describeInRun({ shares: 2, turn: 1 }, 'the examples', () => {
  let clone: ProjectClone;
  let terminal: PastedTerminal;

  beforeAll(async () => {
    clone = await ProjectClone.make();
    // A copy, because the page's installed and built files are no part of the project.
    const folder = join(clone.folder, 'examples');
    await rm(folder);
    await cp(EXAMPLES, folder, {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|__pycache__)(\/|$)/.test(path),
    });
    await clone.start();
    terminal = new PastedTerminal(clone);
  }, INSTALL_MS_MAX);

  afterAll(async () => {
    await terminal.close();
    await clone.stopAndRemove();
  }, 60_000);

  describe('examples/README.md', () => {
    it(
      'works as documented, from top to bottom',
      async () => {
        await terminal.paste(blockWith('initial-credentials'));
        const [id] = UUID.exec(await terminal.paste(blockWith('python/send_signal.py')))!;
        expect(await terminal.paste(blockWith('curl/upload-zip.sh'))).toContain(`"id":"`);
        expect(await terminal.paste(blockWith('npm install'))).toMatch(
          /\d+ signals accepted\n[\s\S]*Log4Shell/,
        );
        const audit = await terminal.paste(blockWith('FINDING='));
        expect(audit).toMatch(/^AcceptedFailed\n/);
        expect(audit).toMatch(
          /now: AcceptedFailed, accepted by admin: No untrusted input reaches it, RISK-42\n$/,
        );
        expect(id).toBeDefined();
      },
      INSTALL_MS_MAX,
    );

    it('left nothing out', () => {
      const tried = [
        'initial-credentials',
        'python/send_signal.py',
        'curl/upload-zip.sh',
        'npm install',
        'FINDING=',
      ];
      expect(blocks).toEqual(tried.map(blockWith));
    });
  });

  describe.each([
    ['TypeScript', (name: string) => `node examples/typescript/dist/${name}.js`],
    ['Python', (name: string) => `python3 examples/python/${name.replace('-', '_')}.py`],
    ['curl', (name: string) => `examples/curl/${name}.sh`],
  ])('%s', (language, program) => {
    const name = `Sent with ${language}`;
    let findingId: string;
    const run = (program: string, ...args: string[]) =>
      terminal.paste([program, ...args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`)].join(' '));
    const critical = (host: string) =>
      plainSignal(name, host, {
        securityContext: {
          type: 'va',
          status: { complianceStatus: 'fail' },
          severity: { type: 'cvss', value: 9.8 },
        },
      });

    it('sends a signal, and reports the problems of a malformed one', async () => {
      await writeFile(join(clone.folder, 'one.json'), JSON.stringify(critical('one')));
      await writeFile(join(clone.folder, 'malformed.json'), '{"version":"1.0"}');
      const before = await lastChangeId();
      expect(await run(program('send-signal'), 'one.json')).toMatch(/\b1 created\b|"created":1\b/);
      const refusal = await terminal.paste(`${program('send-signal')} malformed.json 2>&1 || echo refused`);
      expect(refusal).toMatch(/entity[\s\S]*refused\n$/);
      const change = await firstChange(before);
      expect(change).toContain(name);
      expect(change).toContain('created');
    }, 60_000);

    it('uploads a ZIP until it is folded, and lists every page of critical findings', async () => {
      const hosts = Array.from({ length: CRITICAL }, (_, i) => `host-${i}`);
      const zip = await zipOf(Object.fromEntries(hosts.map((host) => [`${host}.json`, critical(host)])));
      await writeFile(join(clone.folder, 'many.zip'), zip);
      expect(await run(program('upload-zip'), 'many.zip')).toMatch(
        /\b120 findings created\b|"created":120\b/,
      );
      const listed = (await run(program('open-critical'))).split('\n').filter((line) => line.includes(name));
      expect(listed).toHaveLength(CRITICAL + 1);
      const ids = listed.map((line) => UUID.exec(line)![0]);
      expect(new Set(ids).size).toBe(CRITICAL + 1);
      findingId = ids[0]!;
    }, 60_000);

    it('accepts a finding, and shows its history and its earlier state', async () => {
      const rationale = `Known, "${language}"; RISK-42`;
      expect(await run(program('accept-finding'), findingId, rationale)).toBe('AcceptedFailed\n');
      const audit = await run(program('audit'), findingId);
      expect(audit).toMatch(/as of \S+: Failed\nnow: AcceptedFailed/);
      expect(audit).toMatch(/created[\s\S]*accepted/);
      expect(audit).toContain('RISK-42');
    }, 60_000);

    /** The current position of the change stream. */
    async function lastChangeId(): Promise<string> {
      const token = await terminal.paste('(. examples/curl/sign-in.sh; echo "$TOKEN")');
      const { body } = await fetch(`${clone.env.POSTURE_URL}/api/v3/changes?topics=findings`, {
        headers: { authorization: `Bearer ${token.trim()}` },
      });
      const reader = body!.getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return /^id: (.*)$/m.exec(new TextDecoder().decode(value))![1]!;
    }

    /** The output of the program for later changes, until Ctrl-C. */
    async function firstChange(after: string): Promise<string> {
      const credentials = await terminal.paste('echo "$POSTURE_USERNAME"; echo "$POSTURE_PASSWORD"');
      const [POSTURE_USERNAME, POSTURE_PASSWORD] = credentials.split('\n');
      const follower = Follower.start(`cd "$0" && exec ${program('follow-changes')} "$1"`, {
        args: [clone.folder, after],
        env: { ...clone.env, POSTURE_USERNAME, POSTURE_PASSWORD },
      });
      try {
        await follower.untilPrinted('a change', () => follower.lines.some((line) => line.includes(name)));
      } finally {
        await follower.interrupt();
      }
      return follower.lines.join('\n');
    }
  });

  it(
    'have a result that equals the fold of the log',
    () => expectVerified({ DATA_DIR: join(clone.folder, '.data') }),
    120_000,
  );
});
