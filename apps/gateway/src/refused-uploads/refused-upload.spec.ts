import { describe, expect, it } from '@jest/globals';
import { BadRequestException, ConflictException, UnauthorizedException } from '@nestjs/common';
import { RetryLaterException, UploadContentException } from '../http/http-errors.ts';
import { refusedUploadOf } from './refused-upload.ts';

const request = (url: string, query = {}, method = 'POST') =>
  ({ method, query, routeOptions: { url } }) as unknown as Parameters<typeof refusedUploadOf>[0];
const SIGNALS = '/api/v3/signals';

describe('a refused upload', () => {
  it.each([
    [SIGNALS, 'signal'],
    ['/api/v3/signals/zip', 'zip'],
    ['/api/v3/reports', 'report'],
    ['/api/v2/import-scan', 'import'],
    ['/api/v2/reimport-scan', 'import'],
  ])('of %s is of the kind %s', (url, kind) => {
    const refused = refusedUploadOf(request(url), new BadRequestException(), 400);
    expect(refused).toEqual({ kind, status: 400, reason: 'request' });
  });

  it.each([
    [new UploadContentException('not JSON'), 400, 'content'],
    [new ConflictException(), 409, 'conflict'],
    [new RetryLaterException(1, 'fold_lag'), 429, 'lag'],
    [new RetryLaterException(1, 'json_minute'), 429, 'minuteLimit'],
    [new RetryLaterException(1, 'json_day'), 429, 'dayLimit'],
    [new RetryLaterException(1, 'memory'), 429, 'memory'],
    [new RetryLaterException(1, 'zip_queue'), 429, 'busy'],
    [new RetryLaterException(1, 'reports'), 429, 'busy'],
    [new Error('a form'), 413, 'tooLarge'],
    [new Error('a type'), 415, 'mediaType'],
    [new Error('another key'), 422, 'conflict'],
    [new Error('unknown'), 404, 'other'],
  ])('by %s (%i) has the reason %3$s', (error, status, reason) => {
    expect(refusedUploadOf(request(SIGNALS), error, status)).toEqual({ kind: 'signal', status, reason });
  });

  it('is none without access, for a preview, for a fault, and for another request', () => {
    const error = new BadRequestException();
    expect(refusedUploadOf(request(SIGNALS), new UnauthorizedException(), 401)).toBeNull();
    expect(refusedUploadOf(request(SIGNALS), error, 403)).toBeNull();
    expect(refusedUploadOf(request(SIGNALS), error, 503)).toBeNull();
    expect(refusedUploadOf(request('/api/v3/signals/zip', { dryRun: 'true' }), error, 400)).toBeNull();
    expect(refusedUploadOf(request('/api/v3/findings'), error, 400)).toBeNull();
    expect(refusedUploadOf(request('/api/v3/reports', {}, 'GET'), error, 400)).toBeNull();
  });
});
