import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RegistryClient, type RegistryClientOptions, schemaRegistryOf } from './registry-client.ts';
import { SchemaRegistryError } from './registry-error.ts';

const SUBJECT = 'posture.findings-value';

/** The answers that no real registry gives on demand; apps/projector/src/publish has the specs on a real one. */
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(
  answer: RequestListener,
  { credentials = '', ...options }: RegistryClientOptions & { credentials?: string } = {},
): Promise<RegistryClient> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new RegistryClient(`http://${credentials}127.0.0.1:${port}/api/`, options);
}

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const problemOf = async (client: RegistryClient): Promise<string> => {
  const error = await client.register(SUBJECT, {}).then(
    () => new Error('none'),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(SchemaRegistryError);
  return error.message.replaceAll(client.address, 'REGISTRY');
};

describe('RegistryClient', () => {
  it('posts the schema as JSON in JSON, with the credentials of its URL decoded', async () => {
    let asked: IncomingMessage | undefined;
    let body = '';
    const client = await clientOf(
      (request, response) => {
        asked = request;
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => response.end('{"id":7,"version":1,"guid":"x"}'));
      },
      { credentials: 'ana:p%40ss%3Aword@' },
    );
    expect(await client.register('a/b-value', { type: 'string' })).toBe(7);
    expect(asked!.method).toBe('POST');
    expect(asked!.url).toBe('/api/subjects/a%2Fb-value/versions');
    expect(asked!.headers).toMatchObject({
      'content-type': 'application/vnd.schemaregistry.v1+json',
      authorization: `Basic ${Buffer.from('ana:p@ss:word').toString('base64')}`,
    });
    expect(JSON.parse(body)).toEqual({ schema: '{"type":"string"}' });
  });

  it('says no credentials', async () => {
    const client = await clientOf(answering(401, '{"error_code":40101,"message":"Unauthorized"}'), {
      credentials: 'ana:hunter2@',
    });
    expect(client.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(await problemOf(client)).toBe(
      `the schema registry at REGISTRY rejected ${SUBJECT}: Unauthorized (401)`,
    );
  });

  it.each([
    [
      409,
      '{"message":"Incompatible\\n  \\u001b[31mschema"}',
      'rejected .*: Incompatible \\[31mschema \\(409\\)$',
    ],
    [404, '<html>not here</html>', 'rejected .*: without a reason \\(404\\)$'],
    [302, '', 'rejected .*: without a reason \\(302\\)$'],
    [200, '<html>hello</html>', 'returned no schema id: it is not a schema registry$'],
    [200, '{"id":"7"}', 'returned no schema id: it is not a schema registry$'],
    [200, '{"id":4294967296}', 'returned no schema id: it is not a schema registry$'],
    [200, ' '.repeat(2 * 1024 * 1024), 'does not respond \\(a response of more than 1048576 bytes\\)$'],
    [500, JSON.stringify({ message: 'x'.repeat(5_000) }), 'rejected .*: x{300} \\(500\\)$'],
  ])('makes a sentence of %i %.40s', async (status, body, sentence) => {
    const client = await clientOf(answering(status, body, { location: '/elsewhere' }));
    expect(await problemOf(client)).toMatch(new RegExp(sentence));
  });

  it('waits no longer than it may, also for the end of an answer', async () => {
    const client = await clientOf((_, response) => void response.writeHead(200).write('{'), {
      answerMsMax: 100,
    });
    expect(await problemOf(client)).toBe(
      'the schema registry at REGISTRY does not respond (no response within 100 ms)',
    );
  });

  it('is null if none is configured', () => {
    expect(schemaRegistryOf({})).toBeNull();
  });
});
