import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { Follower } from '../consumers/follower.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const failing =
  (status: number): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end('away');

const signedIn: Answer = (_, response) => response.end('{"accessToken":"t"}');

/** One change; then the connection is cut in the middle of a chunk. */
const changeAndCut =
  (id: string): Answer =>
  ({ headers }, response) => {
    const finding = { change: { name: 'created' }, state: 'Failed', assetName: 'web01' };
    const name = `behind ${headers['last-event-id'] ?? 'nothing'}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: finding\ndata: ${JSON.stringify({ ...finding, name })}\nid: ${id}\n\n`, () => {
      response.socket!.end('20\r\nevent: fin');
    });
  };

let close = async () => {};
afterEach(() => close());

/** A service with one of these answers for each request, and for each sign-in before one that succeeds. */
async function serve(answers: Answer[], signIns: Answer[] = []): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/api/v3/auth') (signIns.shift() ?? signedIn)(request, response);
    else (answers.shift() ?? failing(410))(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ENV = { POSTURE_USERNAME: 'ana', POSTURE_PASSWORD: 'secret', PYTHONDONTWRITEBYTECODE: '1' };

const follow = (POSTURE_URL: string): Follower =>
  Follower.start('exec python3 examples/python/follow_changes.py', {
    env: { POSTURE_URL, ...ENV },
  });

it('Python resumes, also through the responses of a restarting service or proxy', async () => {
  const follower = follow(await serve([changeAndCut('a1'), failing(503), failing(502), changeAndCut('a2')]));
  try {
    await follower.untilLines(2);
    expect(follower.lines).toEqual([
      'created  Failed  web01  behind nothing  a1',
      'created  Failed  web01  behind a1  a2',
    ]);
  } finally {
    await follower.interrupt();
  }
});

async function python(program: string, POSTURE_URL: string): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-c', `import posture\n${program}`], {
    env: { ...process.env, ...ENV, POSTURE_URL, PYTHONPATH: 'examples/python' },
  });
  return stdout;
}

it('Python reconnects after a long silence', async () => {
  const silent: Answer = () => {};
  const url = await serve([silent, (_, response) => response.end('{"items":["heard"],"nextCursor":null}')]);
  const heard = await python(
    'posture.SILENCE_SECONDS_MAX = 0.2\nprint(*posture.Posture().items("/api/v3/findings"))',
    url,
  );
  expect(heard).toBe('heard\n');
});

it('Python repeats an upload under its key if the service is unavailable, and nothing without a key', async () => {
  const keys: unknown[] = [];
  const away: Answer = (request, response) => {
    keys.push(request.headers['idempotency-key']);
    failing(503)(request, response);
  };
  const taken: Answer = (request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.end('{"accepted":1}');
  };
  const answer = await python('print(posture.Posture().upload_zip(b"zip"))', await serve([away, taken]));
  expect(answer).toBe("{'accepted': 1}\n");
  expect(keys).toEqual([expect.any(String), keys[0]]);
  await close();
  const url = await serve([failing(503), taken]);
  await expect(python('posture.Posture().post("/api/v3/findings/f/accept", {})', url)).rejects.toThrow(
    'answered with 503',
  );
});

it('Python repeats a sign-in if the service is busy or unavailable, also before an action', async () => {
  const url = await serve([signedIn], [failing(429), failing(503)]);
  const program = 'print(posture.Posture().post("/api/v3/findings/f/accept", {}))';
  expect(await python(program, url)).toBe("{'accessToken': 't'}\n");
  await close();
  const rejected = [failing(401)];
  await expect(python(program, await serve([], rejected))).rejects.toThrow('answered with 401');
  expect(rejected).toEqual([]);
});

it('Python waits for its changes as long as the service is busy', async () => {
  const busy: Answer = (_, response) => response.writeHead(429, { 'retry-after': '0' }).end('{}');
  const follower = follow(await serve([...Array<Answer>(6).fill(busy), changeAndCut('a1')]));
  try {
    await follower.untilLines(1);
  } finally {
    await follower.interrupt();
  }
});

it('Python ends if its request is rejected', async () => {
  const follower = follow(await serve([failing(403)]));
  await expect(follower.untilLines(1)).rejects.toThrow('ended after 0 lines');
  expect(await follower.interrupt()).toBe(1);
});
