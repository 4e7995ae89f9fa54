import { describe, expect, it } from '@jest/globals';
import { badInput } from './bad-input.ts';

describe('badInput (R-HTTP-1)', () => {
  it('says of an empty text only that it is empty', () => {
    const constraints = {
      isLength: 'name must be longer than or equal to 1 characters',
      matches: 'name must be x',
    };
    const config = [{ property: 'name', value: '', constraints }];
    expect(badInput([{ property: 'config', children: config }]).message).toBe(
      'config.name must not be empty',
    );
    expect(badInput([{ property: 'name', value: ' ', constraints }]).message).toMatch(/^name must be longer/);
    const expected = { isEmail: 'to must be an email' };
    expect(badInput([{ property: 'to', value: '', constraints: expected }]).message).toBe(
      'to must be an email',
    );
  });

  it('says how many findings there are of more than 20', () => {
    const errors = Array.from({ length: 23 }, (_, i) => ({
      property: `p${i}`,
      constraints: { isInt: `p${i} x` },
    }));
    const { message } = badInput(errors);
    expect(message).toMatch(/^p0 x; .*; p19 x; and 3 more$/);
  });

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
