import { describe, expect, it } from '@jest/globals';
import { mentionedNames } from './mentions.ts';

describe('names that a text mentions (R-TRIAGE-5)', () => {
  it.each([
    ['ask @alice', [['alice']]],
    ['@alice+ops, look', [['alice+ops']]],
    ['(@svc_) or @_svc', [['svc_', 'svc'], ['_svc']]],
    [
      '@alice. @bob: look',
      [
        ['alice.', 'alice'],
        ['bob:', 'bob'],
      ],
    ],
    ["@alice's host", [["alice's", 'alice']]],
    ["@o'brien@example.com", [["o'brien@example.com"]]],
    // With combining marks: Hindi, and an accent of its own.
    ['@हिन्दी and @Rene\u0301', [['हिन्दी'], ['Rene\u0301']]],
    ['**@alice** and `@bob`', [['alice'], ['bob']]],
    ['not x@alice, x+@alice nor /@alice; 5 @ 3', []],
  ])('%s', (text, names) => {
    expect(mentionedNames(text)).toEqual(names);
  });

  it('are few of any text that a comment can have', () => {
    const names = mentionedNames(`@${'.'.repeat(9_999)}`);
    expect(names.flat()).toHaveLength(256);
  });
});
