import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRetryTiming } from '../../../../test/fixtures/integrations/retry-timing.ts';
import { json, ScriptedVendor, type Turn } from '../../../../test/fixtures/integrations/scripted-vendor.ts';
import { SINGLE_EFFORT, VendorRequests } from '../requests/vendor-requests.ts';
import { FalconClient } from './falcon-client.ts';

let vendor: ScriptedVendor;
let retryTiming: TestRetryTiming;
beforeAll(async () => {
  vendor = await ScriptedVendor.start();
});
afterAll(() => vendor.stop());
beforeEach(() => {
  retryTiming = new TestRetryTiming();
});

const clientOf = () =>
  new FalconClient(
    new VendorRequests(vendor.egress, ['secret & more'], retryTiming),
    { url: vendor.url, clientId: 'id', clientSecret: 'secret & more' },
    retryTiming,
    1_000,
  );

const token = (name: string, expires_in = 1799): Turn => json(201, { access_token: name, expires_in });
const envelope = (pagination: object = {}, resources: object[] = []): Turn =>
  json(200, { meta: { pagination }, resources, errors: [] });
const bearers = () => vendor.asked.flatMap(({ headers }) => headers.authorization ?? []);

describe('the token', () => {
  it('is requested once, with a form, and cached until a minute before its expiry', async () => {
    const client = clientOf();
    vendor.plays(token('one'), envelope({ total: 3 }), envelope({ total: 3 }), token('two'), envelope());
    await expect(client.countHosts('')).resolves.toBe(3);
    retryTiming.now += 1738_000;
    await client.countHosts('');
    retryTiming.now += 1_000;
    await client.countHosts('');
    expect(bearers()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
    expect(vendor.asked[0]).toMatchObject({
      method: 'POST',
      path: '/oauth2/token',
      body: 'client_id=id&client_secret=secret+%26+more',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  });

  it('is renewed once if it is no longer taken', async () => {
    vendor.plays(token('one'), json(401, {}), token('two'), envelope({ total: 1 }));
    await expect(clientOf().countAlerts('')).resolves.toBe(1);
    expect(bearers()).toEqual(['Bearer one', 'Bearer two']);
  });

  it('is not renewed again and again', async () => {
    vendor.plays(token('one'), json(401, {}), token('two'), json(401, {}));
    await expect(clientOf().countAlerts('')).rejects.toMatchObject({
      what: 'alerts',
      failure: 'credentials',
    });
    expect(vendor.asked).toHaveLength(4);
  });

  it('that lives shortly is used for half its life', async () => {
    const client = clientOf();
    vendor.plays(token('one', 40), envelope(), envelope(), token('two', 40), envelope());
    await client.countHosts('');
    retryTiming.now += 19_000;
    await client.countHosts('');
    retryTiming.now += 2_000;
    await client.countHosts('');
    expect(bearers()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
  });

  it.each([400, 401, 403])('is rejected by %d, without a word of the secret', async (status) => {
    vendor.plays(json(status, { errors: [{ message: 'secret & more is not it' }] }));
    const error = await clientOf()
      .signIn(SINGLE_EFFORT)
      .catch((caught: Error) => caught);
    expect(error).toMatchObject({
      failure: 'credentials',
      message: `token: client id and secret are not accepted (status ${status}: … is not it)`,
    });
  });

  it('is rejected without the form that was sent, if the platform repeats it', async () => {
    vendor.plays((response, request, body) => json(400, { message: body })(response, request, body));
    await expect(clientOf().signIn(SINGLE_EFFORT)).rejects.toThrow(
      /\(status 400: client_id=id&client_secret=…\)$/,
    );
  });

  it.each([403, 200])(
    'is not shown if an answer of status %d repeats it, however long it is',
    async (status) => {
      vendor.plays(token('eyJ'.padEnd(2_000, 'x')), (response, request, body) => {
        const errors = [{ message: `denied for ${request.headers.authorization}` }];
        json(status, { resources: [], errors })(response, request, body);
      });
      await expect(clientOf().countHosts('', undefined, SINGLE_EFFORT)).rejects.toThrow(
        /: denied for Bearer …\)?$/,
      );
    },
  );
});

describe('an account of another region', () => {
  const inRegion = (status: number, body: object, region: string) =>
    json(status, body, { 'X-Cs-Region': region });

  it('is named with its base URL if the token is not accepted', async () => {
    vendor.plays(
      inRegion(201, { access_token: 'one' }, 'eu-1'),
      json(401, {}),
      inRegion(201, { access_token: 'two' }, 'eu-1'),
      json(401, { errors: [{ message: 'access denied, invalid bearer token' }] }),
    );
    await expect(clientOf().countHosts('')).rejects.toThrow(
      'hosts: the token is not accepted: the account belongs to the region eu-1, whose base URL is https://api.eu-1.crowdstrike.com (status 401: access denied, invalid bearer token)',
    );
  });

  it('is named if there is no token, also when its address is not known', async () => {
    vendor.plays(inRegion(403, {}, 'us-gov-2'));
    await expect(clientOf().signIn(SINGLE_EFFORT)).rejects.toThrow(
      /the account belongs to the region us-gov-2, whose base URL is https:\/\/api\.us-gov-2\.crowdstrike\.mil/,
    );
    vendor.plays(inRegion(403, {}, 'moon-1'));
    await expect(clientOf().signIn(SINGLE_EFFORT)).rejects.toThrow(/belongs to the region moon-1 \(/);
    vendor.plays(json(403, {}));
    await expect(clientOf().signIn(SINGLE_EFFORT)).rejects.toThrow(/are not accepted \(status 403\)/);
  });
});

describe('paging', () => {
  const hosts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ device_id: `h${from + i}`, modified_timestamp: '' }));
  const read = async () => {
    const pages = [];
    for await (const page of clientOf().hostPages("tags:['x']", new AbortController().signal))
      pages.push(page);
    return pages;
  };

  it('continues after each page with its cursor and ends without one', async () => {
    vendor.plays(
      token('t'),
      envelope({ total: 3, next: 'a/b=' }, hosts(0, 2)),
      envelope({ total: 3 }, hosts(2, 1)),
    );
    const pages = await read();
    expect(pages.map(({ number, received, isLast }) => [number, received, isLast])).toEqual([
      [1, 2, false],
      [2, 3, true],
    ]);
    const [first, second] = vendor.asked.slice(1).map(({ path }) => new URL(path, vendor.url).searchParams);
    expect(Object.fromEntries(first!)).toMatchObject({
      filter: "tags:['x']",
      limit: '1000',
      sort: 'modified_timestamp.asc',
    });
    expect([first!.get('offset'), second!.get('offset')]).toEqual([null, 'a/b=']);
  });

  it('distinguishes a repeated page from a new one and does not count it', async () => {
    const page = envelope({ total: 3, next: 'b' }, hosts(0, 2));
    vendor.plays(token('t'), page, page, envelope({ total: 3, next: '' }, hosts(2, 1)));
    expect((await read()).map(({ received, repeated }) => [received, repeated])).toEqual([
      [2, 0],
      [2, 2],
      [3, 0],
    ]);
  });

  it('ends if the same page comes again and again', async () => {
    vendor.plays(token('t'), envelope({ total: 3, next: 'b' }, hosts(0, 2)));
    await expect(read()).rejects.toThrow('hosts page 4: the platform returns the same page repeatedly');
  });

  it('ends at a page without records, with any cursor', async () => {
    vendor.plays(
      token('t'),
      envelope({ total: 2, next: 'b' }, hosts(0, 2)),
      envelope({ total: 0, next: 'c' }),
    );
    expect(await read()).toHaveLength(2);
  });

  const failing = (next: string) =>
    json(200, { meta: { pagination: { total: 4, next } }, resources: [], errors: [{ code: 500 }] });
  /** As often as it is requested. */
  const failingPage = (next: string) => Array.from({ length: 6 }, () => failing(next));

  it('continues after a page that has lost its records to a failure', async () => {
    vendor.plays(
      token('t'),
      envelope({ total: 4, next: 'b' }, hosts(0, 2)),
      ...failingPage('c'),
      envelope({ total: 4 }, hosts(3, 1)),
    );
    const pages = await read();
    expect(pages.map(({ received, isLast }) => [received, isLast])).toEqual([
      [2, false],
      [2, false],
      [3, true],
    ]);
    expect(pages[1]!.flaw).toMatch(/reports an error: 500/);
  });

  it('ends if every page loses its records to a failure', async () => {
    vendor.plays(token('t'), failing('b'));
    await expect(read()).rejects.toThrow(/^hosts page 3: the response reports an error: 500/);
  });
});
