import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startTracing } from './start-tracing.ts';
import { inSpan, isTracing } from './tracing.ts';

/** An address without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('startTracing', () => {
  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' },
  ])('starts nothing with %j', async (env) => {
    expect(await startTracing('gateway', env)).toBeUndefined();
    expect(isTracing()).toBe(false);
  });

  it('delays no program if its receiver is unavailable', async () => {
    // The exporter reads the process' own.
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await closedPort()}`;
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '500';
    const end = await startTracing('gateway', process.env);
    expect(isTracing()).toBe(true);
    expect(await inSpan('work', { isRoot: true }, async () => 7)).toBe(7);
    const begun = performance.now();
    await end!();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(isTracing()).toBe(false);
  }, 30_000);
});
