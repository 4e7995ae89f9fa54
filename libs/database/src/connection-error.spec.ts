import { describe, expect, it } from '@jest/globals';
import { isConnectionError } from './connection-error.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

describe('isConnectionError', () => {
  it.each([
    '08006',
    '08003',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '28P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])('is one by its code: %s', (code) => {
    expect(isConnectionError(withCode(code))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
  ])('is one by the message of pg: %s', (message) => {
    expect(isConnectionError(new Error(message))).toBe(true);
  });

  it('is one by the message of Citus, which has the code of any internal error', () => {
    const internal = (message: string) => Object.assign(new Error(message), { code: 'XX000' });
    expect(isConnectionError(internal('failure on connection marked as essential: 10.0.0.7:5432'))).toBe(
      true,
    );
    expect(isConnectionError(internal('cache lookup failed for relation 1'))).toBe(false);
  });

  it.each(['23505', '40P01', '57014', '42P01', 'ENOENT'])('is not one by its code: %s', (code) => {
    expect(isConnectionError(withCode(code))).toBe(false);
  });

  it('is not one if it is not an error', () => {
    expect(isConnectionError('ECONNREFUSED')).toBe(false);
    expect(isConnectionError(undefined)).toBe(false);
    expect(isConnectionError(new Error('some other failure'))).toBe(false);
  });
});
