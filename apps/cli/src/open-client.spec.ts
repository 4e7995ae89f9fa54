import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, type PostureClient } from '#client';
import { SimulatedService } from '../../../test/fixtures/cli/simulated-service.ts';
import { openClient } from './open-client.ts';
import { RETRY_BOUNDS } from './retry-policy.ts';

const ZIP = Buffer.from('PK…');
const FAST = { ...RETRY_BOUNDS, backOff: { firstMs: 2, longestMs: 10 }, waitMsMax: 20 };
const busy = { status: 429, body: { statusCode: 429, error: 'Too Many Requests', message: '1' } };
const expired = { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'expired' } };
const broken = { status: 500, body: { statusCode: 500, error: 'Internal Server Error', message: 'no' } };

const statusOf = (client: PostureClient, id: string) =>
  client.get('/api/v3/uploads/{id}', { params: { path: { id } } });

describe('the HTTP client against a service that fails', () => {
  const service = new SimulatedService();
  let url: string;
  let waits: string[];
  let client: PostureClient;

  beforeEach(async () => {
    url = await service.start();
    service.received.length = 0;
    service.signIns.length = 0;
    waits = [];
    const connection = { url, access: { username: 'ana', password: 'pä:ss' } };
    client = openClient(connection, { retryBounds: FAST, onWait: (reason) => waits.push(reason) });
  });
  afterEach(() => service.stop());

  it('comes through 429, 401, 500 and a cut connection with one Idempotency-Key (R-CLI-4)', async () => {
    service.script.push(busy, expired, broken, 'cut');
    const receipt = await client.uploadZip(ZIP, { idempotencyKey: 'key-1' });
    expect(receipt).toMatchObject({ uploadId: 'upload-5', accepted: 3 });
    expect(service.received.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(5).fill('key-1'));
    expect(service.received.map(({ authorization }) => authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-2',
      'Bearer token-2',
    ]);
    expect(service.received.every(({ zip }) => zip.equals(ZIP))).toBe(true);
    expect(waits).toHaveLength(3);
    expect(waits[0]).toContain('429');
    expect(waits[2]).toMatch(/unreachable/);
  });

  it('signs in once for several requests, by Basic in UTF-8 (R-CLI-2)', async () => {
    await client.uploadZip(ZIP, { idempotencyKey: 'key-1', skipInvalid: true });
    await statusOf(client, 'upload-1');
    expect(service.signIns).toEqual([`Basic ${Buffer.from('ana:pä:ss').toString('base64')}`]);
    expect(service.received[0]!.url).toBe('/api/v3/signals/zip?invalid=skip');
  });

  it('reports a rejection with its entries and does not repeat the request', async () => {
    const errors = [{ entry: 'a.json', field: 'name', message: 'expected a string' }];
    service.script.push({ status: 400, body: { statusCode: 400, message: '1 of 3 entries', errors } });
    const refusal = await client.uploadZip(ZIP, { idempotencyKey: 'key-1' }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, message: '1 of 3 entries', problems: errors });
    expect(service.received).toHaveLength(1);
  });

  it('repeats a preview, but no act that may have been done', async () => {
    service.script.push(broken, 'cut');
    await client.previewZip(ZIP);
    expect(service.received).toHaveLength(3);
    await service.stop();
    await expect(
      client.delete('/api/v3/credentials/{id}', { params: { path: { id: 'x' } } }),
    ).rejects.toThrow(/unreachable/);
    expect(waits).toHaveLength(2);
    await service.start();
  });

  it.each([
    [404, 'not the service', 'unexpected answer 404'],
    [301, '', 'unexpected answer 301'],
    [200, '<html>', /^unexpected answer 200: check that the address is that/],
    [500, '<html>', /^the service answered 500$/],
  ])('does not show the page of another server that answers %j', async (status, body, message) => {
    service.script.push(...Array(status < 500 ? 1 : FAST.failuresMax).fill({ status, body }));
    await expect(client.uploadZip(ZIP)).rejects.toThrow(message);
  });

  it('says that a sign-in without a token is not of the service', async () => {
    service.authScript.push({ status: 200, body: { token: 'x' } });
    await expect(statusOf(client, 'x')).rejects.toThrow(
      /^the sign-in answer contains no access token: check/,
    );
  });

  it('gives up on wrong credentials without echoing them', async () => {
    service.authScript.push(expired);
    const error = (await statusOf(client, 'x').catch((e: unknown) => e)) as Error & { details: string[] };
    expect(error.message).toBe('the service rejected the credentials');
    expect(`${error.message}${error.details.join()}${error.stack}`).not.toContain('pä:ss');
  });

  it('gives up on a service that rejects its own token', async () => {
    service.script.push(expired, expired);
    await expect(client.uploadZip(ZIP, { idempotencyKey: 'key-1' })).rejects.toThrow(
      /rejected a new access token/,
    );
    expect(service.signIns).toHaveLength(2);
  });

  it('gives up after a bounded number of 5xx responses and reports the last', async () => {
    service.script.push(...Array(FAST.failuresMax).fill(broken));
    await expect(client.uploadZip(ZIP, { idempotencyKey: 'key-1' })).rejects.toThrow(
      'the service answered 500: no',
    );
    expect(service.received).toHaveLength(FAST.failuresMax);
    expect(service.script).toEqual([]);
  });

  it('says that nothing listens', async () => {
    await service.stop();
    await expect(statusOf(client, 'x')).rejects.toThrow(/unreachable \(ECONNREFUSED\)/);
    await service.start();
  });

  it('gives up on an answer that does not come in time', async () => {
    const slow = openClient(
      { url, access: { username: 'ana', password: 'x' } },
      { attemptMsMax: 1, retryBounds: { ...FAST, failuresMax: 1 } },
    );
    service.authScript.push({ status: 200, body: { accessToken: 'x'.repeat(8_000_000) } });
    await expect(statusOf(slow, 'x')).rejects.toThrow('the service did not answer in time');
  });
});
