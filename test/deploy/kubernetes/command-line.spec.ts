import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runPosture } from '../../../apps/cli/src/posture.ts';
import { recordingTerminal } from '../../fixtures/cli/simulated-service.ts';
import { CONTEXT } from '../build-context.ts';

async function helpOf(command: string[]): Promise<string> {
  const terminal = recordingTerminal({});
  await runPosture([...command, '--help'], terminal);
  return terminal.out();
}

const subcommandsOf = (help: string): string[] =>
  [...(/\nCommands:\n(.*?)\n(?:\n|$)/s.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');

/** Whether a command, or one of its subcommands, sends requests to the service. */
async function usesService(command: string[]): Promise<boolean> {
  const help = await helpOf(command);
  if (/address of the service\s+\(POSTURE_URL\)/.test(help)) return true;
  for (const name of subcommandsOf(help)) {
    if (await usesService([...command, name])) return true;
  }
  return false;
}

it('docs/deploying.md names the commands that no job can run: network policies keep jobs from the gateway', async () => {
  const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
  const [paragraph] = page.split('\n').filter((line) => line.includes('exec -i deploy/gateway'));
  const named = [...(paragraph ?? '').matchAll(/`([a-z][a-z-]*)(?: --check)?`/g)].map(([, name]) => name!);
  const commands = [];
  for (const name of subcommandsOf(await helpOf([]))) {
    if (await usesService([name])) commands.push(name);
  }
  expect(named.sort()).toEqual(commands.sort());
});

it('jobs of docs/deploying.md on request can run again: a finished job keeps its name for days', () => {
  const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
  const blocks = [...page.matchAll(/```(?:sh)?\n(.*?)```/gs)].map(([, block]) => block!);
  const repeated = blocks.flatMap((block) =>
    [...block.matchAll(/create job (\S+) --from=cronjob\/(?!migrate)/g)].map(([, name]) => ({
      block,
      name: name!,
    })),
  );
  expect(repeated.map(({ name }) => name)).toEqual(['backup-$RUN', 'verify-$RUN', 'commands']);
  for (const { block, name } of repeated) {
    if (!name.includes('$')) expect(block).toContain(`delete job ${name}`);
    // Of a job that fails, this waits in vain.
    expect(block).not.toContain('--for=condition=complete');
  }
});

it('docs/deploying.md says where a restore can be done: no user can empty a log on these brokers', () => {
  expect(readFileSync(join(CONTEXT, 'deploy/kubernetes/base/kafka.yaml'), 'utf8')).toContain(
    'delete.topic.enable: false',
  );
  const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
  const [paragraph] = page.split('\n').filter((line) => line.startsWith('- **A restore**'));
  expect(paragraph).toContain('empty log and an empty database');
  expect(paragraph).toContain('restore into a new Kubernetes cluster');
  expect(paragraph).toContain('--keep-log');
});
