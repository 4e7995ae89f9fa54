import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { type Answer, AnsweringService, answering, busy } from '../fixtures/examples/answering-service.ts';

let service: AnsweringService;
afterEach(() => service.stop());

/** Runs a program against a service that gives these answers. */
async function run(answers: Answer[], program: string, ...args: string[]): Promise<string> {
  service = await AnsweringService.start(answers);
  const env = {
    ...process.env,
    POSTURE_USERNAME: 'ana',
    POSTURE_PASSWORD: 'secret',
    POSTURE_URL: service.url,
  };
  const { stdout } = await promisify(execFile)(`examples/curl/${program}.sh`, args, { env });
  return stdout;
}

it('curl ends if it may not read its upload', async () => {
  const stored = answering(200, { uploadId: 'u1' });
  const forbidden = answering(403, { message: 'this requires the scope uploads:read' });
  await expect(run([stored, forbidden], 'send-signal', 'examples/openssl.json')).rejects.toMatchObject({
    stderr: expect.stringContaining('uploads:read'),
    stdout: expect.stringContaining('u1'),
  });
  expect(service.paths).toEqual(['/api/v3/signals', '/api/v3/uploads/u1']);
});

it.each(['audit', 'open-critical'])('curl ends if a page of its list is refused: %s', async (program) => {
  const forbidden = answering(403, { message: 'this requires the scope findings:read' });
  await expect(run([forbidden], program, 'f')).rejects.toMatchObject({
    stderr: expect.stringContaining('findings:read'),
    stdout: '',
  });
  expect(service.paths).toHaveLength(1);
});

it('curl waits until its upload is processed', async () => {
  const answers = [
    answering(200, { uploadId: 'u1' }),
    answering(200, { done: false }),
    answering(200, { done: true, outcome: { created: 1, updated: 0, unchanged: 0 } }),
  ];
  expect(await run(answers, 'send-signal', 'examples/openssl.json')).toContain('"created":1');
});

it('curl prints only the answer that succeeds after a busy one', async () => {
  const answers = [
    busy('1'),
    answering(200, { uploadId: 'u1' }),
    answering(200, { done: true, outcome: { created: 1, updated: 0, unchanged: 0 } }),
  ];
  const [answer] = (await run(answers, 'send-signal', 'examples/openssl.json')).split('\n');
  expect(JSON.parse(answer!)).toEqual({ uploadId: 'u1' });
});

it('curl ends if a busy service states a longer wait than two minutes', async () => {
  await expect(run([busy('90000')], 'send-signal', 'examples/openssl.json')).rejects.toMatchObject({
    stderr: expect.stringContaining('the service is busy'),
  });
  expect(service.paths).toHaveLength(1);
});

it('curl prints the message of an acceptance that is stored and not processed yet', async () => {
  const answers = [
    answering(200, { id: 'f', version: 3 }),
    answering(202, { message: 'the change is stored in the log', position: {} }),
  ];
  expect(await run(answers, 'accept-finding', 'f', 'known')).toBe('the change is stored in the log\n');
});

it('curl prints all pages of a history, and the state at its first change', async () => {
  const step = (at: string, change: string) => ({ at, change, from: null, to: 'Failed' });
  const answers = [
    answering(200, { items: [step('T1', 'created'), step('T2', 'updated')], nextCursor: 'next' }),
    answering(200, { items: [step('T3', 'accepted')], nextCursor: null }),
    answering(200, { state: 'Failed' }),
    answering(200, { state: 'AcceptedFailed' }),
  ];
  const printed = await run(answers, 'audit', 'f');
  expect(printed.match(/"at":"T\d"/g)).toEqual(['"at":"T1"', '"at":"T2"', '"at":"T3"']);
  expect(printed).toContain('as of T1: Failed\nnow: AcceptedFailed\n');
  expect(service.paths[1]).toBe('/api/v3/findings/f/history?limit=500&cursor=next');
});

it('curl encodes the instant of a state', async () => {
  const answers = [answering(200, { items: [], nextCursor: null }), answering(200, { state: 'Failed' })];
  await run([...answers, answering(200, { state: 'Failed' })], 'audit', 'f', '2026-03-02T10:00:00+02:00');
  expect(new URL(service.paths[1]!, service.url).searchParams.get('asOf')).toBe('2026-03-02T10:00:00+02:00');
});
