import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RawConnection } from '../../../../test/abuse/raw-connection.ts';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { AccessWatch } from '../auth/access-watch.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { REPORTS_MAX } from '../reports/report-limits.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { ByteBudget } from './byte-budget.ts';

let gateway: StartedGateway;
let client: ApiClient;
let files: string;
const outerTmp = process.env.TMPDIR;

beforeAll(async () => {
  gateway = await StartedGateway.start();
  client = await gateway.client();
  files = await mkdtemp(join(tmpdir(), 'posture-ended-'));
  process.env.TMPDIR = files;
});
afterAll(async () => {
  if (outerTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outerTmp;
  await gateway.stop();
  await rm(files, { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Of an API token of its own. */
async function newToken(): Promise<{ id: string; token: string }> {
  const given = { name: randomUUID(), scopes: ['signals:write'] };
  return (await client.request('POST', '/api/v3/tokens', JSON.stringify(given))).body;
}

interface Upload {
  path: string;
  body: Buffer;
}

const formOf = (file: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
    file,
    Buffer.from('\r\n--b--\r\n'),
  ]);

const FILE = Buffer.alloc(500_000);
const JSON_BODY: Upload = { path: '/api/v3/signals', body: FILE };
const ZIP: Upload = { path: '/api/v3/signals/zip', body: formOf(FILE) };
const IMPORT: Upload = { path: '/api/v2/import-scan', body: formOf(FILE) };
/** The service sees only the end of a connection whose bytes it has read. */
const SHORT_IMPORT: Upload = { ...IMPORT, body: formOf(Buffer.alloc(1_000)) };
/** As many as take all slots of imports. */
const COUNT = REPORTS_MAX;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Requests whose last byte is not sent yet, as client and as service see them. */
async function unfinished({ path, body }: Upload, token: string) {
  const exchanges: Exchange[] = [];
  const see = (message: unknown) => void exchanges.push(message as Exchange);
  subscribe('http.server.request.start', see);
  const connections = await Promise.all(
    Array.from({ length: COUNT }, () => RawConnection.open(gateway.port)),
  );
  for (const connection of connections) {
    connection.send(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    connection.send(body.subarray(0, -1));
  }
  await until('all requests', () => exchanges.length === COUNT);
  unsubscribe('http.server.request.start', see);
  return { connections, exchanges };
}

async function importedStatus(): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([fixtureNamed('Grype').content]), 'report.json');
  const fields = { scan_type: 'Anchore Grype', product_name: 'shop', engagement_name: 'nightly' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return (await client.request('POST', '/api/v2/import-scan/', form)).status;
}

const foldersOfReports = async () =>
  (await readdir(files)).filter((name) => name.startsWith('posture-report-'));

/** Ends the access of requests that the service waits for, then sends the ends of their bodies. */
async function endAccess(upload: Upload, isHeld: () => boolean | Promise<boolean>): Promise<void> {
  const { id, token } = await newToken();
  const { connections, exchanges } = await unfinished(upload, token);
  await until('what they hold', isHeld);
  expect((await client.request('DELETE', `/api/v3/tokens/${id}`)).status).toBe(200);
  await until('all answers', () => exchanges.every(({ response }) => response.statusCode === 401));
  for (const connection of connections) connection.send(upload.body.subarray(-1));
  await until('all 401', () => connections.every(({ status }) => status === 401));
  for (const connection of connections) connection.close();
}

describe('requests whose access ends before the ends of their bodies', () => {
  it.each([
    ['JSON', JSON_BODY],
    ['ZIPs', ZIP],
  ])('%s: give back their memory', async (_, upload) => {
    const holds = jest.spyOn(ByteBudget.prototype, 'hold');
    const heldBytes = () =>
      [...new Set(holds.mock.contexts as unknown as { held: number }[])].reduce(
        (sum, { held }) => sum + held,
        0,
      );
    await endAccess(upload, () => heldBytes() > COUNT * 0.9 * FILE.length);
    await until('the memory', () => heldBytes() === 0);
  });

  it('imports: free their slots, and remove their files', async () => {
    const received = jest.spyOn(ReportsService.prototype, 'withReport');
    await endAccess(IMPORT, async () => {
      return received.mock.calls.length === COUNT && (await foldersOfReports()).length === COUNT;
    });
    await until('the next import', async () => (await importedStatus()) === 201);
    expect(await foldersOfReports()).toEqual([]);
  });
});

describe('requests whose clients hang up before the guard lets them in', () => {
  it('free the slots of imports, and their access is no longer watched', async () => {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const { apiToken } = KnownCredentials.prototype;
    jest.spyOn(KnownCredentials.prototype, 'apiToken').mockImplementation(async function (
      this: KnownCredentials,
      hash,
    ) {
      await admitted;
      return apiToken.call(this, hash);
    });
    const begun = jest.spyOn(AccessWatch.prototype, 'begin');
    const received = jest.spyOn(ReportsService.prototype, 'withReport');
    const { connections, exchanges } = await unfinished(SHORT_IMPORT, (await newToken()).token);
    for (const connection of connections) connection.close();
    await until('the ends of the connections', () => exchanges.every(({ response }) => response.destroyed));
    admit();
    await until('the imports', () => received.mock.calls.length === COUNT);
    await until('the next import', async () => (await importedStatus()) === 201);
    expect(await foldersOfReports()).toEqual([]);
    const [watch] = begun.mock.contexts as unknown as { open: Set<unknown> }[];
    await until('no watched access', () => watch!.open.size === 0);
  });
});
