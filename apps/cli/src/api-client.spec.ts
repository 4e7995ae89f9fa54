import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient, RefusedError } from './api-client.ts';
import { RETRY_BOUNDS } from './retry-policy.ts';
import { SimulatedService } from './testing/simulated-service.ts';

const ZIP = Buffer.from('PK…');
const FAST = { ...RETRY_BOUNDS, backoffMsMin: 2, backoffMsMax: 10, waitMsMax: 20 };
const busy = { status: 429, body: { statusCode: 429, error: 'Too Many Requests', message: '1' } };
const expired = { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'expired' } };
const broken = { status: 500, body: { statusCode: 500, error: 'Internal Server Error', message: 'no' } };

describe('the HTTP client against a service that fails', () => {
  const service = new SimulatedService();
  let url: string;
  let waits: string[];
  let client: ApiClient;

  beforeEach(async () => {
    url = await service.start();
    service.received.length = 0;
    service.signIns.length = 0;
    waits = [];
    const connection = { url, username: 'ana', password: 'pä:ss' };
    client = new ApiClient(connection, { retryBounds: FAST, onWait: (reason) => waits.push(reason) });
  });
  afterEach(() => service.stop());

  it('comes through 429, 401, 500 and a cut connection with one Idempotency-Key (D17, spec §Errors)', async () => {
    service.script.push(busy, expired, broken, 'cut');
    const receipt = await client.uploadZip(ZIP, 'key-1', false);
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
    expect(waits[2]).toMatch(/out of reach/);
  });

  it('signs in once for several requests, by Basic in UTF-8 (spec §Authentication)', async () => {
    await client.uploadZip(ZIP, 'key-1', true);
    await client.uploadStatus('upload-1');
    expect(service.signIns).toEqual([`Basic ${Buffer.from('ana:pä:ss').toString('base64')}`]);
    expect(service.received[0]!.url).toBe('/api/v3/signals/zip?invalid=skip');
  });

  it('tells a refusal with its entries and does not repeat it', async () => {
    const errors = [{ entry: 'a.json', field: 'name', message: 'expected a string' }];
    service.script.push({ status: 400, body: { statusCode: 400, message: '1 of 3 entries', errors } });
    const refusal = await client.uploadZip(ZIP, 'key-1', false).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefusedError);
    expect(refusal).toMatchObject({ status: 400, message: '1 of 3 entries', errors });
    expect(service.received).toHaveLength(1);
  });

  it('gives up on wrong credentials without echoing them', async () => {
    service.authScript.push(expired);
    const error = (await client.uploadStatus('x').catch((e: unknown) => e)) as Error & { details: string[] };
    expect(error.message).toBe('the service does not accept the credentials');
    expect(`${error.message}${error.details.join()}${error.stack}`).not.toContain('pä:ss');
  });

  it('gives up on a service that refuses its own token', async () => {
    service.script.push(expired, expired);
    await expect(client.uploadZip(ZIP, 'key-1', false)).rejects.toThrow(/refuses a token/);
    expect(service.signIns).toHaveLength(2);
  });

  it('gives up after a bounded number of 5xx answers and tells the last', async () => {
    service.script.push(...Array(FAST.failuresMax).fill(broken));
    await expect(client.uploadZip(ZIP, 'key-1', false)).rejects.toThrow('the service answered 500: no');
    expect(service.received).toHaveLength(FAST.failuresMax);
    expect(service.script).toEqual([]);
  });

  it('says that nothing listens', async () => {
    await service.stop();
    await expect(client.uploadStatus('x')).rejects.toThrow(/out of reach \(ECONNREFUSED\)/);
    await service.start();
  });

  it('gives up on an answer that does not come in time', async () => {
    const slow = new ApiClient(
      { url, username: 'ana', password: 'x' },
      { attemptMsMax: 1, retryBounds: { ...FAST, failuresMax: 1 } },
    );
    service.authScript.push({ status: 200, body: { accessToken: 'x'.repeat(8_000_000) } });
    await expect(slow.uploadStatus('x')).rejects.toThrow('the service did not answer in time');
  });
});
