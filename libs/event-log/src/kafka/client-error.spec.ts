import { describe, expect, it } from '@jest/globals';
import { FencedError, LogUnavailableError } from '../event-log.ts';
import { unavailableOrFenced } from './client-error.ts';

/** As kafkajs wraps what a broker answered. */
const refused = (type: string): Error =>
  new Error('given up', { cause: Object.assign(new Error('refused'), { type }) });

describe('unavailableOrFenced', () => {
  it.each(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED'])('tells that another one took over: %s', (type) => {
    expect(unavailableOrFenced(refused(type), 'publisher')).toBeInstanceOf(FencedError);
  });

  it.each(['INVALID_PRODUCER_ID_MAPPING', 'NOT_COORDINATOR'])('tells by no other answer: %s', (type) => {
    expect(unavailableOrFenced(refused(type), 'publisher')).toBeInstanceOf(LogUnavailableError);
  });
});
