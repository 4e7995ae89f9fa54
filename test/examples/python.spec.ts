import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { Follower } from '../consumers/follower.ts';
import {
  type Answer,
  AnsweringService,
  answering,
  busy,
  failing,
  signedIn,
} from '../fixtures/examples/answering-service.ts';

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

/** One change, and the next one until within its id: without chunks, the end of the connection ends the response. */
const changeAndHalfAnId =
  (id: string): Answer =>
  (_, response) => {
    const data = JSON.stringify({
      change: { name: 'created' },
      state: 'Failed',
      assetName: 'web01',
      name: 'x',
    });
    const event = `event: finding\ndata: ${data}\nid: ${id}`;
    response.removeHeader('transfer-encoding');
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
    response.end(`${event}\n\n${event.slice(0, -1)}`);
  };

let service: AnsweringService | undefined;
afterEach(() => service?.stop());

/** @returns the address of a service that takes the place of the one before */
async function serve(answers: Answer[], signIns: Answer[] = []): Promise<string> {
  await service?.stop();
  service = await AnsweringService.start(answers, signIns);
  return service.url;
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

it('Python resumes after the last whole id', async () => {
  const follower = follow(await serve([changeAndHalfAnId('f:a1'), changeAndCut('f:a2')]));
  try {
    await follower.untilLines(2);
    expect(follower.lines).toEqual([
      'created  Failed  web01  x  f:a1',
      'created  Failed  web01  behind f:a1  f:a2',
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
  const url = await serve([failing(503), taken]);
  await expect(python('posture.Posture().post("/api/v3/findings/f/accept", {})', url)).rejects.toThrow(
    'answered with 503',
  );
});

it('Python repeats what is safe if its token has expired, and no action that may have taken effect', async () => {
  const expired = answering(401, { message: 'expired' });
  const done = answering(200, { done: true });
  const post = 'print(posture.Posture().post("/api/v3/findings/f/comments", {}))';
  expect(await python(post, await serve([expired, done]))).toBe("{'done': True}\n");
  const mayHave = answering(401, { message: 'expired', mayHaveTakenEffect: true });
  await expect(python(post, await serve([mayHave, done]))).rejects.toThrow('expired');
  expect(service!.paths).toEqual(['/api/v3/findings/f/comments']);
  expect(await python('print(posture.Posture().upload_zip(b"zip"))', await serve([mayHave, done]))).toBe(
    "{'done': True}\n",
  );
});

it('Python repeats a read and an upload whose answer is cut, the upload under its key', async () => {
  const keys: unknown[] = [];
  const cut: Answer = ({ headers }, response) => {
    keys.push(headers['idempotency-key']);
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"items":', () => response.destroy());
  };
  const list = answering(200, { items: ['whole'], nextCursor: null });
  const read = 'print(*posture.Posture().items("/api/v3/findings"))';
  expect(await python(read, await serve([cut, list]))).toBe('whole\n');
  const taken: Answer = (request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.end('{"accepted":1}');
  };
  const upload = 'print(posture.Posture().upload_zip(b"zip"))';
  expect(await python(upload, await serve([cut, taken]))).toBe("{'accepted': 1}\n");
  expect(keys).toEqual([undefined, expect.any(String), keys[1]]);
});

it('Python repeats a sign-in if the service is busy or unavailable, also before an action', async () => {
  const url = await serve([signedIn], [failing(429), failing(503)]);
  const program = 'print(posture.Posture().post("/api/v3/findings/f/accept", {}))';
  expect(await python(program, url)).toBe("{'accessToken': 't'}\n");
  const rejected = [failing(401)];
  await expect(python(program, await serve([], rejected))).rejects.toThrow('answered with 401');
  expect(rejected).toEqual([]);
});

it('Python waits for a busy service for two minutes at most, and by itself if no number is stated', async () => {
  const list = answering(200, { items: ['answered'], nextCursor: null });
  const read = 'print(*posture.Posture().items("/api/v3/findings"))';
  await expect(python(read, await serve([busy('90000'), list]))).rejects.toThrow('the service is busy');
  await expect(python(read, await serve([list], [busy('90000')]))).rejects.toThrow('the service is busy');
  const noted = `waits = []\nposture.time.sleep = waits.append\n${read}\nprint(waits)`;
  const busyTwice = [busy('90'), busy('Fri, 01 Jan 2027 00:00:00 GMT'), list];
  expect(await python(noted, await serve(busyTwice))).toBe('answered\n[90, 2]\n');
  const busyLong = [busy('90'), busy('31'), list];
  await expect(python(noted, await serve(busyLong))).rejects.toThrow('the service is busy');
});

it('Python waits for its changes as long as the service is busy', async () => {
  const follower = follow(await serve([...Array<Answer>(6).fill(busy('0')), changeAndCut('a1')]));
  try {
    await follower.untilLines(1);
  } finally {
    await follower.interrupt();
  }
});

it.each(['changed', 'revoked'])('Python ends with a stream that ends as %s', async (reason) => {
  const ended: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: end\ndata: ${JSON.stringify({ reason, message: 'other rights' })}\n\n`);
  };
  const follower = follow(await serve([ended]));
  await expect(follower.untilLines(1)).rejects.toThrow('AccessEnded: other rights');
  expect(service!.paths).toHaveLength(1);
});

it('Python ends if its request is rejected', async () => {
  const follower = follow(await serve([failing(403)]));
  await expect(follower.untilLines(1)).rejects.toThrow('ended after 0 lines');
  expect(await follower.interrupt()).toBe(1);
});
