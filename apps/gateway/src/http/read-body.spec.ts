import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.ts';
import { readBody } from './read-body.ts';

it('readBody fails if the client has hung up already', async () => {
  const request = new IncomingMessage(new Socket());
  request.destroy();
  await once(request, 'close');
  await expect(readBody(request, 10, new ByteBudget(10).hold())).rejects.toThrow(
    'the connection was closed before the end of the body',
  );
});

it.each([
  ['gzip', 415],
  ['br', 415],
  ['x-gzip, identity', 415],
  ['identity', 400],
  ['utf-8', 400],
])('a body with Content-Encoding %s is refused with %i', async (encoding, status) => {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-encoding': encoding };
  request.destroy();
  await once(request, 'close');
  await expect(async () => readBody(request, 10, new ByteBudget(10).hold())).rejects.toMatchObject({
    status,
  });
});
