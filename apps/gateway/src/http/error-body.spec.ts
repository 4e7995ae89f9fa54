import { describe, expect, it } from '@jest/globals';
import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { LogUnavailableError } from '#libs/event-log';
import { errorBodyOf } from './error-body.ts';
import { RetryLaterException, StaleException } from './http-errors.ts';

describe('errorBodyOf (R-HTTP-1)', () => {
  it.each([
    [
      new NotFoundException('no such asset'),
      { statusCode: 404, error: 'Not Found', message: 'no such asset' },
    ],
    [new BadRequestException(), { statusCode: 400, error: 'Bad Request', message: 'Bad Request' }],
    [
      new BadRequestException(['a is wrong', 'b is wrong']),
      { statusCode: 400, error: 'Bad Request', message: 'a is wrong; b is wrong' },
    ],
    [new HttpException('teapot', 418), { statusCode: 418, error: "I'm a Teapot", message: 'teapot' }],
    [
      new StaleException('the plan has changed'),
      { statusCode: 409, error: 'Conflict', message: 'the plan has changed', reason: 'stale' },
    ],
    [new HttpException({}, 409), { statusCode: 409, error: 'Conflict', message: 'Conflict' }],
    [
      new BadRequestException({ message: 'two problems', errors: [{ field: 'a', message: 'b' }] }),
      {
        statusCode: 400,
        error: 'Bad Request',
        message: 'two problems',
        errors: [{ field: 'a', message: 'b' }],
      },
    ],
  ])('answers %s with one string', (error, body) => {
    expect(errorBodyOf(error, 'r-1')).toEqual(body);
  });

  it('the message of a 429 is the seconds and nothing else (R-LIM-4)', () => {
    expect(errorBodyOf(new RetryLaterException(7, 'exports'), 'r-1')).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: '7',
      retryIn: 7,
    });
  });

  it.each([
    new LogUnavailableError('connection terminated'),
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminated due to statement timeout'), { code: '57014' }),
    ...['53100', '53200', '25006', '40P01', '55P03'].map((code) =>
      Object.assign(new Error(`terminated with ${code}`), { code }),
    ),
  ])('answers %s with 503 and seconds, without its text', (error) => {
    expect(errorBodyOf(error, 'r-1')).toMatchObject({ statusCode: 503, retryIn: expect.any(Number) });
    expect(JSON.stringify(errorBodyOf(error, 'r-1'))).not.toMatch(/terminated|10\.0\.0\.1/);
  });

  it('advises to request less after a statement timeout, and only then', () => {
    const messageOf = (code: string) => errorBodyOf(Object.assign(new Error(), { code }), 'r-1').message;
    expect(messageOf('57014')).toContain('request less data');
    expect(messageOf('53100')).toBe('the database is unavailable or overloaded: retry later');
  });

  it("keeps the framework's refusals", () => {
    const error = Object.assign(new Error("'/%zz' is not a valid url component"), { statusCode: 400 });
    expect(errorBodyOf(error, 'r-1')).toMatchObject({ statusCode: 400, message: error.message });
  });

  it.each([
    new TypeError('secret is not a function'),
    'thrown text with a secret',
    null,
    Object.assign(new Error('secret'), { statusCode: 500 }),
  ])('exposes only the request id of an internal error: %s', (error) => {
    expect(errorBodyOf(error, 'r-1')).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'internal error (request r-1)',
    });
  });
});
