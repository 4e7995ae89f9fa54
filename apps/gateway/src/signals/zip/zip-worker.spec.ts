import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { decodeIntake, encodeIntake } from '#libs/contracts';
import { DEFAULT_SETTINGS, readingAt } from '#libs/domain';
import { plainSignal, zipOf } from '../../../../../test/support/api-client.ts';
import { planZip } from './plan-zip.ts';
import { zipEvents } from './zip-worker.ts';

const upload = {
  context: {
    uploadId: '0b1f7c9e-52a7-4a39-9a5c-8f3f0d1f7a11',
    kind: 'zip' as const,
    ...readingAt(1_700_000_000_000),
    user: 'ana',
    requestId: 'r-1',
    settingsVersion: 0,
    partitions: 4,
  },
  settings: DEFAULT_SETTINGS,
  skipsInvalid: false,
};

it('gives the same events for any number of signals kept from the first pass', async () => {
  const signals = Array.from({ length: 40 }, (_, i) => [
    `${i}.json`,
    plainSignal(`finding ${i}`, `host${i % 7}`),
  ]);
  const zip = await zipOf({
    'config.json': { fullAssessmentForTypes: ['va'] },
    ...Object.fromEntries(signals),
    'large.json': plainSignal('large', 'host1', { description: 'x'.repeat(200_000) }),
  });
  const records = async (keptBytesMax?: number) => {
    const plan = await planZip(zip, upload, keptBytesMax);
    const kept = plan.signals.filter(({ payload }) => payload !== null).length;
    return { kept, values: [...zipEvents(zip, plan, upload.context)].map(encodeIntake) };
  };
  const all = await records();
  const some = await records(5_000);
  const none = await records(0);
  expect(all.kept).toBe(41);
  expect(some.kept).toBeGreaterThan(0);
  expect(some.kept).toBeLessThan(41);
  expect(none.kept).toBe(0);
  expect(some.values).toEqual(all.values);
  expect(none.values).toEqual(all.values);
  const types = all.values.map((value) => decodeIntake(value).payload.type);
  expect(types.filter((type) => type === 'SignalReceived')).toHaveLength(41);
  expect(types.filter((type) => type === 'AssessmentClosed')).toHaveLength(7);
});

it('a signal that is too large as an event is malformed, kept or not (R-SIG-22)', async () => {
  const large = plainSignal('large', 'host2', { unknown: new Array(200_000).fill(1e20) });
  const zip = await zipOf({
    '1.json': plainSignal('small', 'host1'),
    '2.json': JSON.stringify(large).replaceAll('100000000000000000000', '1e20'),
    '3.json': plainSignal('small', 'host3'),
  });
  for (const keptBytesMax of [undefined, 0]) {
    await expect(planZip(zip, upload, keptBytesMax)).rejects.toThrow(
      '1 of 3 entries malformed, no signals were stored; the first: "2.json": the signal has more than 3 MB as an event',
    );
    const { outcome, signals } = await planZip(zip, { ...upload, skipsInvalid: true }, keptBytesMax);
    expect(outcome).toMatchObject({ accepted: 2, rejected: 1, errors: [{ entry: '2.json' }] });
    expect(signals.map(({ entry }) => entry.name)).toEqual(['1.json', '3.json']);
  }
});

it('writes events that fit a record of the log, with 100 warnings about deep fields in the first (R-ZIP-5)', async () => {
  const name = '漢'.repeat(100);
  const deep = Array.from({ length: 59 }).reduce<Record<string, unknown>>((below) => ({ [name]: below }), {
    [name]: Array.from({ length: 20 }, () => ({ password: 'p' })),
  });
  const zip = await zipOf({
    // An event of almost 3 MB.
    '0.json': JSON.stringify(
      plainSignal('large', 'host0', { unknown: new Array(140_000).fill(1e20) }),
    ).replaceAll('100000000000000000000', '1e20'),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`${i}.json`, plainSignal('deep', `host${i}`, deep)])),
  });
  const plan = await planZip(zip, upload);
  expect(plan.outcome.warnings).toHaveLength(100);
  for (const event of zipEvents(zip, plan, upload.context)) {
    expect(encodeIntake(event).length).toBeLessThan(3.5 * 1_048_576);
  }
});

it('loads neither Nest nor a database: each thread would load all of it again', async () => {
  const worker = new URL('../../../../../dist/apps/gateway/src/signals/zip/zip-worker.js', import.meta.url);
  const hooks = `export const load = (url, context, next) => {
    if (/node_modules.(@nestjs|kysely|pg)./.test(url)) throw new Error('loads ' + url);
    return next(url, context);
  }`;
  const script = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    await import(${JSON.stringify(worker.href)});`;
  const arguments_ = ['--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, arguments_, { cwd: fileURLToPath(new URL('.', worker)) });
});
