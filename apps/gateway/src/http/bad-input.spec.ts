import { describe, expect, it } from '@jest/globals';
import { badInput } from './bad-input.ts';

describe('badInput (R-HTTP-1)', () => {
  it('puts every finding into one string, with paths', () => {
    const exception = badInput([
      { property: 'dryRun', constraints: { whitelistValidation: 'property dryRun should not exist' } },
      {
        property: 'config',
        children: [
          { property: 'url', constraints: { isUrl: 'url must be a URL address' } },
          { property: 'days', constraints: { isInt: 'days must be an integer number' } },
          { property: 'tags', constraints: { matches: 'each value in tags must be short' } },
        ],
      },
    ]);
    expect(exception.getStatus()).toBe(400);
    expect(exception.message).toBe(
      'dryRun is unknown; config.url must be a URL address; config.days must be an integer number; ' +
        'each value in config.tags must be short',
    );
  });
});
