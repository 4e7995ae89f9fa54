import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRetryTiming } from '../../../../test/fixtures/integrations/retry-timing.ts';
import {
  cut,
  json,
  ScriptedVendor,
  type Turn,
  text,
} from '../../../../test/fixtures/integrations/scripted-vendor.ts';
import { limitWaitMs } from './limit-wait.ts';
import { errorListed } from './reported-errors.ts';
import { type VendorRequest, VendorRequests } from './vendor-requests.ts';

const SECRET = 'a-secret-of-the-customer';
const FINE = json(200, { fine: true });

let vendor: ScriptedVendor;
let retryTiming: TestRetryTiming;
beforeAll(async () => {
  vendor = await ScriptedVendor.start();
});
afterAll(() => vendor.stop());
beforeEach(() => {
  retryTiming = new TestRetryTiming();
});

const send = (given: Partial<VendorRequest> = {}) =>
  new VendorRequests(vendor.egress, [SECRET], retryTiming).send({
    what: 'hosts page 3',
    method: 'GET',
    url: `${vendor.url}/hosts`,
    isWhole: ({ fine }) => fine === true,
    ...given,
  });

describe('a request to a vendor', () => {
  it.each<[string, Turn]>([
    ['500', json(500, {})],
    ['503', text(503, 'gone')],
    ['a cut answer', cut],
    ['no JSON', text(200, '<html>')],
    ['a list', json(200, [])],
    ['JSON that lacks what it must hold', json(200, { other: 1 })],
    ['an empty answer', text(200, '')],
  ])('is made again after %s, with a backoff that doubles', async (_, turn) => {
    vendor.plays(turn, turn, FINE);
    await expect(send()).resolves.toMatchObject({ status: 200, body: { fine: true }, flaw: null });
    expect(retryTiming.sleeps).toEqual([500, 1000]);
  });

  it('is made again after a slow answer', async () => {
    vendor.plays(() => {}, FINE);
    await expect(send({ timeoutMs: 2_000 })).resolves.toMatchObject({ status: 200 });
    expect(vendor.asked).toHaveLength(2);
  });

  it('is given up after minutes, and says what failed, why and how often', async () => {
    vendor.plays(json(502, {}));
    await expect(send()).rejects.toMatchObject({
      name: 'VendorError',
      what: 'hosts page 3',
      failure: 'answer',
      message: 'hosts page 3: the platform failed (status 502); 16 attempts failed',
    });
    expect(vendor.asked).toHaveLength(16);
    expect(retryTiming.sleeps.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    const waited = retryTiming.sleeps.reduce((sum, ms) => sum + ms, 0);
    // With the least jitter it is half of that.
    expect(waited).toBeGreaterThanOrEqual(5 * 60_000);
  });

  it('is repeated after an error inside a success, and then reports the remaining error', async () => {
    const errorIn = (body: object) => errorListed({ ...body });
    const flawed = json(200, {
      fine: true,
      kept: [1],
      errors: [{ code: 500, message: `no ${SECRET}` }, { code: 404 }],
    });
    vendor.plays(flawed, FINE);
    await expect(send({ errorIn })).resolves.toMatchObject({ flaw: null });
    vendor.plays(flawed);
    await expect(send({ errorIn })).resolves.toMatchObject({
      status: 200,
      body: { kept: [1] },
      flaw: 'the response reports an error: 500 no …, and 1 more; 6 attempts failed',
    });
    expect(vendor.asked).toHaveLength(6);
  });

  it('is repeated after an error inside a success as often if other failures came before', async () => {
    const errorIn = (body: object) => errorListed({ ...body });
    const busy = json(503, {});
    const flawed = json(200, { fine: true, errors: [{ code: 500 }] });
    vendor.plays(busy, busy, busy, busy, busy, flawed, FINE);
    await expect(send({ errorIn })).resolves.toMatchObject({ flaw: null });
    expect(vendor.asked).toHaveLength(7);
    vendor.plays(...Array<Turn>(12).fill(busy), flawed);
    await expect(send({ errorIn })).resolves.toMatchObject({
      flaw: 'the response reports an error: 500; 16 attempts failed',
    });
    expect(vendor.asked).toHaveLength(16);
  });

  it('is not made again if the answer is too large', async () => {
    vendor.plays(json(200, { fine: true, filler: 'x'.repeat(2_000) }));
    await expect(send({ bytesMax: 1_000 })).rejects.toMatchObject({ failure: 'tooLarge' });
    expect(vendor.asked).toHaveLength(1);
  });

  it.each([
    ['epoch milliseconds', (now: number) => ({ 'X-RateLimit-RetryAfter': String(now + 7_000) }), 7_500],
    [
      'epoch seconds',
      (now: number) => ({ 'X-RateLimit-RetryAfter': String(Math.floor(now / 1000) + 7) }),
      7_500,
    ],
    ['Retry-After', () => ({ 'Retry-After': '3' }), 3_500],
    [
      'a clock that is hours ahead',
      (now: number) => ({ 'X-RateLimit-RetryAfter': String(now + 7_200_000) }),
      60_500,
    ],
    [
      'an instant that is over by our clock, and not by the vendor’s',
      (now: number) => ({
        Date: new Date(now - 3_600_000).toUTCString(),
        'X-RateLimit-RetryAfter': String(now - 3_600_000 + 7_000),
      }),
      7_500,
    ],
  ])('waits after 429 as long as %s says, and a jitter', async (_, headers, waited) => {
    vendor.plays(json(429, {}, headers(retryTiming.now)), FINE);
    await expect(send()).resolves.toMatchObject({ status: 200 });
    expect(retryTiming.sleeps).toEqual([waited]);
  });

  it.each([
    ['nothing more', () => ({})],
    ['an instant that is over', (now: number) => ({ 'X-RateLimit-RetryAfter': String(now - 7_000) })],
    ['that it is over at once', () => ({ 'Retry-After': '0' })],
  ])('sits out a limit of a minute after 429 that says %s', async (_, headers) => {
    const busy = json(429, {}, headers(retryTiming.now));
    vendor.plays(busy, busy, busy, busy, busy, FINE);
    await expect(send()).resolves.toMatchObject({ status: 200 });
    expect(retryTiming.sleeps).toEqual([2_500, 5_000, 10_000, 20_000, 40_000]);
  });

  it('sits out a wait of two minutes, and no longer one', async () => {
    vendor.plays(json(429, {}, { 'Retry-After': '120' }), FINE);
    await expect(send()).resolves.toMatchObject({ status: 200 });
    expect(retryTiming.sleeps.splice(0)).toEqual([120_500]);
    vendor.plays(json(429, {}, { 'Retry-After': '121' }));
    await expect(send()).rejects.toMatchObject({
      failure: 'limit',
      message: 'hosts page 3: too many requests (status 429); the platform requests a wait of 121 seconds',
    });
    expect(retryTiming.sleeps).toEqual([]);
  });

  it.each<[string, (now: number) => Record<string, string>]>([
    ['a date', (now) => ({ 'Retry-After': new Date(now + 600_000).toUTCString() })],
    ['epoch milliseconds', (now) => ({ 'X-RateLimit-RetryAfter': String(now + 600_000) })],
  ])('does not cut a longer wait that the platform states by its clock as %s', async (_, headers) => {
    const { now } = retryTiming;
    vendor.plays(json(429, {}, { Date: new Date(now).toUTCString(), ...headers(now) }));
    await expect(send()).rejects.toThrow(/the platform requests a wait of 600 seconds$/);
    expect(vendor.asked).toHaveLength(1);
  });

  it('waits after 503 as long as the platform says, and not shorter than the backoff', async () => {
    vendor.plays(
      json(503, {}, { 'Retry-After': '7' }),
      json(503, {}, { 'Retry-After': '0' }),
      json(500, {}, { 'Retry-After': '7' }),
      FINE,
    );
    await expect(send()).resolves.toMatchObject({ status: 200 });
    expect(retryTiming.sleeps).toEqual([7_000, 1_000, 2_000]);
    vendor.plays(json(503, {}, { 'Retry-After': '600' }));
    await expect(send()).rejects.toThrow(
      'hosts page 3: the platform failed (status 503); the platform requests a wait of 600 seconds',
    );
  });

  it('slows down before the limit is used up', async () => {
    const requests = new VendorRequests(vendor.egress, [], retryTiming);
    const ask = () => requests.send({ what: 'x', method: 'GET', url: vendor.url });
    const low = { 'X-Ratelimit-Limit': '6000', 'X-Ratelimit-Remaining': '299' };
    vendor.plays(
      json(200, {}, low),
      json(200, {}, { ...low, 'X-Ratelimit-Remaining': '4000' }),
      json(200, {}),
    );
    await ask();
    await ask();
    await ask();
    expect(retryTiming.sleeps).toEqual([1000]);
  });

  it.each([400, 401, 403, 404, 413])('hands %d on as an answer', async (status) => {
    vendor.plays(json(status, { errors: [{ message: 'no' }] }));
    await expect(send()).resolves.toMatchObject({ status });
    expect(vendor.asked).toHaveLength(1);
  });

  it('follows no redirect', async () => {
    vendor.plays(text(308, '', { location: 'https://api.eu-1.example/oauth2?secret=1' }));
    await expect(send()).rejects.toThrow(
      'hosts page 3: the platform returned a redirect (status 308): use the target address, https://api.eu-1.example',
    );
    for (const location of ['javascript:alert(1)', 'http://[', '']) {
      vendor.plays(text(302, '', { location }));
      await expect(send()).rejects.toThrow(/use the target address(, http:\/\/127\.0\.0\.1:\d+)?$/);
    }
    vendor.plays(text(302, ''));
    await expect(send()).rejects.toThrow(/use the target address$/);
    expect(vendor.asked).toHaveLength(1);
  });

  it('is not repeated if egress forbids it', async () => {
    const requests = new VendorRequests(vendor.egress, [], retryTiming);
    const asked = { what: 'token', method: 'GET' as const, url: 'http://127.0.0.2:9/' };
    await expect(requests.send(asked)).rejects.toMatchObject({ failure: 'network', what: 'token' });
    expect(retryTiming.sleeps).toEqual([]);
  });

  it('ends with its signal, while it waits for the answer and while it waits to ask again', async () => {
    const asking = new AbortController();
    vendor.plays(() => asking.abort());
    await expect(send({ signal: asking.signal })).rejects.toMatchObject({ failure: 'aborted' });
    const waiting = new AbortController();
    vendor.plays((response) => {
      response.writeHead(500).end(() => waiting.abort());
    });
    await expect(send({ signal: waiting.signal })).rejects.toMatchObject({ failure: 'aborted' });
    expect(vendor.asked).toHaveLength(1);
  });

  it('shows the vendor’s own words without secrets and bounded', () => {
    const requests = new VendorRequests(vendor.egress, [SECRET], retryTiming);
    const body = { errors: [{ message: `${SECRET} is wrong ${'x'.repeat(10_000)}` }] };
    const { message } = requests.refusal('token', 'credentials', 'not accepted', { status: 403, body });
    expect(message).toMatch(/^token: not accepted \(status 403: … is wrong x+…\)$/);
    expect(message.length).toBeLessThan(300);
  });
});

describe('when to come back', () => {
  it.each([
    [{}, null],
    [{ 'x-ratelimit-retryafter': 'soon' }, null],
    [{ 'x-ratelimit-retryafter': '' }, null],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }, 9_000],
  ])('%j: %p ms', (headers, ms) => {
    expect(limitWaitMs(headers as Record<string, string>, Date.parse('2026-03-01T12:00:00Z'))).toBe(ms);
  });
});
