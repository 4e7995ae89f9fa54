import { describe, expect, it } from '@jest/globals';
import { firstToSucceed } from './first-to-succeed.ts';

describe('firstToSucceed', () => {
  /** Candidates are the messages that they fail with; an empty one succeeds. */
  async function attempt(...candidates: string[]) {
    const skipped: string[] = [];
    const result = await firstToSucceed(
      candidates,
      async (message) => {
        if (message) throw new Error(message);
        return 'done';
      },
      (_, { message }) => skipped.push(message),
    ).catch(({ message }: Error) => `failed: ${message}`);
    return { result, skipped };
  }

  it.each([
    ['the first succeeds', [''], { result: 'done', skipped: [] }],
    ['others after it are left', ['a', '', 'b'], { result: 'done', skipped: ['a'] }],
    ['all fail', ['a', 'b'], { result: 'failed: b', skipped: ['a'] }],
    [
      'a full disk is full for all',
      ['No space left on device', ''],
      { result: 'failed: No space left on device', skipped: [] },
    ],
  ])('%s', async (_, candidates, expected) => {
    expect(await attempt(...candidates)).toEqual(expected);
  });
});
