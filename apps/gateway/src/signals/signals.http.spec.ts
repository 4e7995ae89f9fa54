import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { interruptUpload } from '../../../../test/support/interrupt-upload.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const HOUR_MS = 3_600_000;
let now = Date.parse('2026-05-01T12:00:00Z');
let gateway: StartedGateway;
let client: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
  client = await gateway.client('analyst');
});
afterAll(() => gateway.stop());

const json = { 'content-type': 'application/json' };
const signal = plainSignal('Log4Shell', 'web01.acme.com');

describe('POST /api/v3/signals (R-JSON-1)', () => {
  it.each(['/api/v3/signals', '/api/v3/signals/', '//api//v3/signals//'])(
    '%s: 200 once the log has the signal (R-UPL-1)',
    async (path) => {
      const { status, body } = await client.request('POST', path, JSON.stringify(signal), json);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'the signal is accepted',
        uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        accepted: 1,
        ignored: 0,
        warnings: [],
      });
      expect(await gateway.eventsOf(body.uploadId)).toMatchObject([
        {
          envelope: {
            entityKey: 'machine:web01',
            at: now,
            cause: {
              kind: 'json',
              uploadId: body.uploadId,
              entry: null,
              ordinal: 1,
              count: 1,
              user: 'analyst',
            },
            upload: { events: 1, signals: 1, rejected: 0 },
          },
          payload: { type: 'SignalReceived', name: 'Log4Shell', assetRules: { updateMetadata: false } },
        },
      ]);
    },
  );

  it.each([
    undefined,
    'text/plain',
    'application/octet-stream',
    'application/json; charset=utf-8',
    'nonsense',
  ])('takes the content type %s for JSON (R-JSON-1)', async (contentType) => {
    const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {};
    const body = new Blob([JSON.stringify(signal)]);
    expect((await client.request('POST', '/api/v3/signals', body, headers)).status).toBe(200);
  });

  it('writes the receipt before the 200', async () => {
    const { body } = await client.signal(signal);
    const receipts = gateway.database.db.selectFrom('upload_receipts').selectAll();
    expect(await receipts.where('upload_id', '=', body.uploadId).execute()).toEqual([
      {
        upload_id: body.uploadId,
        kind: 'json',
        by_user: 'analyst',
        received_at: now,
        events: 1,
        signals: 1,
        rejected: 0,
        warnings: [],
        source: null,
      },
    ]);
    expect(await client.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({ accepted: 1, done: false });
  });

  it('does not hold the 200 for a receipt that PostgreSQL is silent about, and writes it later', async () => {
    const { db } = gateway.database;
    const { body } = await db.transaction().execute(async (transaction) => {
      await sql`lock table upload_receipts in share mode`.execute(transaction);
      return client.signal(signal);
    });
    expect(body.success).toBe(true);
    await until('the receipt', async () => {
      const receipts = db.selectFrom('upload_receipts').select('upload_id');
      return (await receipts.where('upload_id', '=', body.uploadId).execute()).length === 1;
    });
  });

  it('an expired signal is logged and counted, and makes no finding (R-EXP-3)', async () => {
    const { status, body } = await client.signal({ ...signal, expiresAt: '2026-04-30T00:00:00.000Z' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ accepted: 1, ignored: 1 });
    expect(await gateway.eventsOf(body.uploadId)).toMatchObject([{ payload: { ignored: 'expired' } }]);
  });

  it('a password in connectionAttributes reaches neither log nor tables nor program output (R-SIG-17)', async () => {
    const { body } = await client.signal({
      ...signal,
      entity: { ...signal.entity, connectionAttributes: { password: 'hunter2-in-transit' } },
    });
    expect(body.warnings).toEqual([
      { field: expect.stringContaining('connectionAttributes'), message: expect.any(String) },
    ]);
    expect(JSON.stringify(await gateway.eventsOf(body.uploadId))).not.toContain('hunter2-in-transit');
    expect(gateway.lines.join('')).not.toContain('hunter2-in-transit');
    const { rows } = await gateway.database.pool.query(
      `select upload_id from upload_receipts where warnings::text like '%hunter2%'
       union select null from log_records where position('hunter2'::bytea in value) > 0`,
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['single quotes', "{'id': 'x'}", /line 1/],
    ['a missing comma', '{"id": "x"\n "name": "y"}', /line 2/],
    ['an unclosed bracket', '{"id": ["x"', /line 1/],
    ['nothing', '', /./],
    ['an array', '[]', /./],
    ['a number', '5', /./],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
    ['a missing field', JSON.stringify({ ...signal, name: undefined }), /name/],
    ['a wrong field', JSON.stringify({ ...signal, entity: { type: 'toaster', name: 'x' } }), /entity\.type/],
    ['nesting without end', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, /./],
  ])('400 for %s: states position and problem, echoes nothing, appends nothing', async (_, body, message) => {
    const before = await gateway.logSize();
    const answer = await client.request('POST', '/api/v3/signals', new Blob([body]), json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: expect.stringMatching(message),
      errors: [{ field: expect.any(String), message: expect.any(String) }],
    });
    expect(answer.body.message).not.toMatch(/toaster|'x'/);
    expect(await gateway.logSize()).toBe(before);
  });
});

describe('Idempotency-Key (R-UPL-3)', () => {
  it('the same key and body: the same answer, appended once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await client.signal(signal, headers);
    const size = await gateway.logSize();
    now += HOUR_MS;
    const renewed = await gateway.client('analyst');
    expect((await renewed.signal(signal, headers)).body).toEqual(first.body);
    expect(await gateway.logSize()).toBe(size);
  });

  it('the same key and another body: 422', async () => {
    client = await gateway.client('analyst');
    await client.signal(signal, { 'idempotency-key': 'other' });
    expect(await client.signal({ ...signal, name: 'Another' }, { 'idempotency-key': 'other' })).toMatchObject(
      {
        status: 422,
        body: { statusCode: 422, message: expect.stringMatching(/a different body/) },
      },
    );
  });

  it('an invalid key: 400', async () => {
    expect(await client.signal(signal, { 'idempotency-key': 'k'.repeat(201) })).toMatchObject({
      status: 400,
      body: { message: 'Idempotency-Key must be 1 to 200 visible ASCII characters' },
    });
  });

  it('a retry after the answer was lost on the way appends under the same identity', async () => {
    const headers = { 'idempotency-key': 'crashed' };
    const first = await client.signal(signal, headers);
    const [firstEvent] = await gateway.eventsOf(first.body.uploadId);
    await interruptUpload(gateway.database.db, 'crashed');
    now += HOUR_MS / 2;
    const again = await client.signal(signal, headers);
    expect(again.body.uploadId).toBe(first.body.uploadId);
    const events = await gateway.eventsOf(first.body.uploadId);
    expect(events.map(({ envelope }) => envelope.id)).toEqual([
      firstEvent!.envelope.id,
      firstEvent!.envelope.id,
    ]);
    expect(events[1]!.envelope).toMatchObject({ at: firstEvent!.envelope.at, cause: { ordinal: 1 } });
  });
});

describe('Prefer: wait (R-UPL-8)', () => {
  it('answers after the seconds if nothing folds, and says that it waited', async () => {
    const start = performance.now();
    const { status, headers } = await client.signal(signal, { prefer: 'wait=1' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('wait=1');
  });

  it('waits for an upload that is repeated under its key too, though it is not run again', async () => {
    const key = { 'idempotency-key': 'waited-for' };
    const first = await client.signal(signal, key);
    const start = performance.now();
    const { body, headers } = await client.signal(signal, { ...key, prefer: 'wait=1' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(body).toEqual(first.body);
    expect(headers.get('preference-applied')).toBe('wait=1');
  });

  it('answers as soon as the projections are past the upload', async () => {
    const far = [0, 1, 2, 3].map((partition) => ({ partition, next_offset: 1_000_000 }));
    await gateway.database.db.insertInto('projection_positions').values(far).execute();
    const start = performance.now();
    for (const key of ['waits-not', 'waits-not']) {
      const { headers } = await client.signal(signal, { prefer: 'wait=30', 'idempotency-key': key });
      expect(headers.get('preference-applied')).toBe('wait=30');
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('is absent if it was not requested', async () => {
    expect((await client.signal(signal)).headers.get('preference-applied')).toBeNull();
  });
});
