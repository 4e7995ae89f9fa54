import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { posture } from '../support/verify.ts';
import { commandMetrics, describedMetrics } from './metrics-page.ts';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

const METRICS_TOKEN = 'a-token-for-scrapers';
const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const ZIP_CALLER = { trace: '5cf92f3577b34da6a3ce929d0e0e4736', span: '10f067aa0ba902b7' };
const traceparent = ({ trace, span }: typeof CALLER, flags = '01') => `00-${trace}-${span}-${flags}`;

let receiver: OtlpReceiver;
let service: StartedStandalone;
let client: ApiClient;
beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  service = await StartedStandalone.start(undefined, {
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // Requests without a sampled trace are not traced, for example the sign-in of this test.
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    LOG_PARTITIONS: '2',
  });
  client = await service.client();
}, 120_000);
afterAll(async () => {
  await service.stopAndRemove();
  await receiver.stop();
});

const scrape = async (token = METRICS_TOKEN) => {
  const headers = token === '' ? new Headers() : new Headers({ authorization: `Bearer ${token}` });
  const response = await fetch(`${service.url}/metrics`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
/** The sum of the series of a metric whose labels contain `labels`. */
const sumOf = (text: string, name: string, labels = '') =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
const spansOf = ({ trace }: typeof CALLER) => receiver.spans.filter(({ traceId }) => traceId === trace);
const lines = () =>
  service.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('a trace', () => {
  let requestId: string;
  beforeAll(async () => {
    const headers = { traceparent: traceparent(CALLER), 'x-request-id': 'request-of-the-trace' };
    const { status, body } = await client.signal(plainSignal('traced', 'web01'), headers);
    expect(status).toBe(200);
    requestId = headers['x-request-id'];
    await client.folded(body.uploadId);
    await until('the spans of the signal, each after its parent', () => {
      const spans = spansOf(CALLER);
      const known = new Set([CALLER.span, ...spans.map(({ spanId }) => spanId)]);
      const names = new Set(spans.map(({ name }) => name));
      return (
        ['publish posture.scores', 'publish posture.assets'].every((name) => names.has(name)) &&
        spans.every(({ parentSpanId }) => known.has(parentSpanId!))
      );
    });
  });

  it('leads from the caller over the request and the log to the transaction that wrote the row', () => {
    const spans = new Map(spansOf(CALLER).map((span) => [span.spanId, span]));
    const pathTo = (span: ReceivedSpan | undefined): string[] =>
      span ? [...pathTo(spans.get(span.parentSpanId ?? '')), span.name] : [];
    const paths = [...spans.values()].map((span) => pathTo(span).join(' > '));
    const fold = 'POST /api/v3/signals > append posture.intake > fold';
    expect(paths).toEqual(
      expect.arrayContaining([
        `${fold} > transaction`,
        `${fold} > publish posture.assets`,
        expect.stringMatching(`^${fold} > publish posture\\.\\w+ > score > transaction$`),
        expect.stringMatching(`^${fold} > publish posture\\.\\w+ > score > publish posture\\.scores$`),
      ]),
    );
    const request = [...spans.values()].find(({ name }) => name.startsWith('POST'))!;
    expect(request).toMatchObject({
      service: 'posture-standalone',
      parentSpanId: CALLER.span,
      attributes: {
        'http.route': '/api/v3/signals',
        'http.response.status_code': 200,
        'posture.request_id': requestId,
      },
    });
  });

  it('goes through the thread that reads a ZIP', async () => {
    const zip = await zipOf({ 'a.json': plainSignal('zipped', 'web02') });
    const { body } = await client.zip(zip, { traceparent: traceparent(ZIP_CALLER) });
    await client.folded(body.uploadId);
    await until('the transaction of the ZIP', () =>
      spansOf(ZIP_CALLER).some(({ name }) => name === 'transaction'),
    );
    expect(spansOf(ZIP_CALLER).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['append posture.intake', 'fold', 'transaction']),
    );
  });

  it('is absent if the caller has not sampled it', async () => {
    const other = { trace: '6cf92f3577b34da6a3ce929d0e0e4736', span: '20f067aa0ba902b7' };
    const { body } = await client.signal(plainSignal('untraced', 'web03'), {
      traceparent: traceparent(other, '00'),
    });
    await client.folded(body.uploadId);
    const again = await client.signal(plainSignal('traced', 'web01'), { traceparent: traceparent(CALLER) });
    await client.folded(again.body.uploadId);
    await until(
      'a later span',
      () => spansOf(CALLER).filter(({ name }) => name.startsWith('POST')).length > 1,
    );
    const traces = new Set(receiver.spans.map(({ traceId }) => traceId));
    expect([...traces].sort()).toEqual([CALLER.trace, ZIP_CALLER.trace]);
  });

  it('is joined with the log by its id, and the request’s', () => {
    const line = lines().find((one) => one.requestId === requestId);
    expect(line).toMatchObject({ msg: 'request', status: 200, traceId: CALLER.trace });
    const text = JSON.stringify(receiver.spans);
    for (const secret of ['web01', 'traced', 'admin', 'Bearer']) expect(text).not.toContain(secret);
  });
});

describe('/metrics', () => {
  it('asks for METRICS_TOKEN if it is set, and for no other', async () => {
    expect(await scrape('')).toMatchObject({ status: 401 });
    expect(await scrape('another-token-of-16')).toMatchObject({ status: 401 });
    expect((await client.request('GET', '/metrics')).status).toBe(401);
    expect(await scrape()).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  });

  it('has the metrics of docs/observing.md, with their types and labels, and no other', async () => {
    const { text } = await scrape();
    const told = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${type} ${name}`);
    const described = describedMetrics();
    expect(told.sort()).toEqual(described.map(({ name, type }) => `${type} ${name}`).sort());
    const labels = new Map(described.map((metric) => [metric.name, new Set([...metric.labels, 'le'])]));
    const unknown = [...text.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?\{(.*)\} \S+$/gm)].flatMap(
      ([series, name, pairs]) =>
        [...pairs!.matchAll(/(\w+)="[^"]*"/g)].some(([, label]) => !labels.get(name!)?.has(label!))
          ? [series]
          : [],
    );
    expect(unknown).toEqual([]);
  });

  it('counts sent, folded, published and scored findings', async () => {
    await until('everything to be out', async () => {
      const { text } = await scrape();
      return ['posture_fold_lag_records', 'posture_publish_lag_changes', 'posture_score_lag_changes'].every(
        (name) => sumOf(text, name) === 0,
      );
    });
    const { text } = await scrape();
    const counted = (name: string, labels?: string) => sumOf(text, name, labels);
    expect(counted('posture_accepted_signals_total', 'kind="json"')).toBe(3);
    expect(counted('posture_accepted_signals_total', 'kind="zip"')).toBe(1);
    expect(
      counted(
        'posture_http_request_duration_seconds_count',
        'method="POST",route="/api/v3/signals",status="200"',
      ),
    ).toBe(3);
    expect(counted('posture_http_request_duration_seconds_count', 'route="/metrics",status="401"')).toBe(3);
    // The log of each partition begins with an opening record.
    expect(counted('posture_folded_records_total')).toBe(4 + 2);
    expect(counted('posture_fold_batch_records_sum')).toBe(6);
    expect(counted('posture_fold_cache_hits_total')).toBeGreaterThan(0);
    expect(counted('posture_fold_cache_bytes')).toBeGreaterThan(0);
    expect(counted('posture_partitions_held', 'group="projector"')).toBe(2);
    expect(counted('posture_partitions_stopped')).toBe(0);
    expect(counted('posture_quarantined_records_total')).toBe(0);
    expect(counted('posture_published_records_total', 'topic="posture.findings"')).toBe(3);
    expect(counted('posture_scored_assets_total')).toBeGreaterThanOrEqual(3);
    expect(counted('posture_collecting')).toBe(1);
    expect(counted('posture_program_info', 'program="standalone"')).toBe(1);
    // Of one clock: what is left is the time that the question takes, on a busy machine too.
    expect(Math.abs(counted('posture_clock_skew_seconds'))).toBeLessThan(30);
    expect(counted('posture_data_dir_free_bytes')).toBeLessThan(counted('posture_data_dir_size_bytes'));
    expect(counted('posture_scrape_failures_total')).toBe(0);
  });

  it('exposes no names and no secrets', async () => {
    const { text } = await scrape();
    for (const secret of ['web01', 'admin', METRICS_TOKEN, 'request-of-the-trace'])
      expect(text).not.toContain(secret);
  });
});

it('posture verify writes the metrics that docs/observing.md says of it', async () => {
  const file = join(service.dataDir, 'posture_verify.prom');
  const said = await posture(
    { DATA_DIR: service.dataDir, LOG_PARTITIONS: '2' },
    'verify',
    '--metrics-file',
    file,
  );
  const text = await readFile(file, 'utf8');
  expect([...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name)).toEqual(
    commandMetrics('verify'),
  );
  expect(sumOf(text, 'posture_verify_differing_rows')).toBe(0);
  expect(said).toContain(`Clean: ${sumOf(text, 'posture_verify_compared_rows')} rows`);
  const age = Date.now() / 1000 - sumOf(text, 'posture_verify_finished_timestamp_seconds');
  expect(Math.abs(age)).toBeLessThan(60);
});
