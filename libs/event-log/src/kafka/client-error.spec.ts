import { describe, expect, it } from '@jest/globals';
import { FencedError, LogUnavailableError } from '../event-log.ts';
import { available, isProtocolError, unavailable, unavailableOrFenced } from './client-error.ts';

/** As kafkajs wraps a broker's response. */
const refused = (type: string): Error =>
  new Error('given up', { cause: Object.assign(new Error('refused'), { type }) });

describe('unavailableOrFenced', () => {
  it.each(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED'])(
    'recognizes that another one took over: %s',
    (type) => {
      expect(unavailableOrFenced(refused(type), 'publisher')).toBeInstanceOf(FencedError);
    },
  );

  it.each(['INVALID_PRODUCER_ID_MAPPING', 'NOT_COORDINATOR'])(
    'does not conclude it from other responses: %s',
    (type) => {
      expect(unavailableOrFenced(refused(type), 'publisher')).toBeInstanceOf(LogUnavailableError);
    },
  );
});

describe('the response of a broker', () => {
  it('is found below other answers, at most five errors deep', () => {
    const outer = Object.assign(refused('PRODUCER_FENCED'), { type: 'NOT_COORDINATOR' });
    expect(isProtocolError(outer, 'PRODUCER_FENCED', 'OTHER')).toBe(true);
    expect(isProtocolError(outer, 'OTHER')).toBe(false);
    const wrapped = (times: number) =>
      Array.from({ length: times }).reduce<Error>(
        (cause) => new Error('given up', { cause }),
        Object.assign(new Error('refused'), { type: 'X' }),
      );
    expect([isProtocolError(wrapped(4), 'X'), isProtocolError(wrapped(5), 'X')]).toEqual([true, false]);
  });

  it('is no protocol error if it is no error, or its type is no word', () => {
    expect([
      isProtocolError('X', 'X'),
      isProtocolError(Object.assign(new Error(), { type: 7 }), '7'),
    ]).toEqual([false, false]);
  });
});

describe('a call of kafkajs', () => {
  it('returns its result', async () => {
    expect(await available(Promise.resolve(7))).toBe(7);
  });

  it('fails with an error of the port, with its cause; errors of the port are unchanged', async () => {
    const cause = new Error('no route');
    await expect(available(Promise.reject(cause))).rejects.toMatchObject({
      name: 'LogUnavailableError',
      message: 'the log in Kafka is not available: no route',
      cause,
    });
    const own = new LogUnavailableError('full');
    expect([unavailable(own), unavailableOrFenced(own, 'gateway')]).toEqual([own, own]);
    expect(unavailableOrFenced(refused('PRODUCER_FENCED'), 'gateway').message).toBe(
      'another gateway took over, or its transaction took too long',
    );
  });
});
