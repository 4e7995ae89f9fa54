import { describe, expect, it } from '@jest/globals';
import { gatewayAdapter, requestIdOf } from './gateway-adapter.ts';

describe('requestIdOf', () => {
  it('keeps an id of 1 to 128 visible ASCII characters', () => {
    expect(requestIdOf({ headers: { 'x-request-id': 'trace-1/α'.replace('α', 'a') } })).toBe('trace-1/a');
    expect(requestIdOf({ headers: { 'x-request-id': 'i'.repeat(128) } })).toHaveLength(128);
  });

  it.each(['', 'a b', 'i'.repeat(129), 'ä', 'a\nb'])('makes its own in place of %j', (id) => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('creates one if there is none', () => {
    expect(requestIdOf({ headers: {} })).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('gatewayAdapter', () => {
  it('bounds slow and silent clients, longer than the longest Prefer: wait (R-UPL-8)', () => {
    const server = gatewayAdapter().getHttpServer();
    expect(server).toMatchObject({
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      timeout: 90_000,
    });
  });
});
