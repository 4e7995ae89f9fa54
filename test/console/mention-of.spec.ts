import { expect, it } from '@jest/globals';
import { MENTION, mentionOf } from '../../apps/console/src/parts/mention-of.ts';

it.each([
  [['ann', 'ann+ops'], '@ann+ops, @ann. @ann_x', ['@ann+ops', '@ann']],
  [['svc_', '_svc'], '(@svc_) @_svc', ['@svc_', '@_svc']],
  [["o'brien", 'o'], "@o'brien's", ["@o'brien"]],
  [['ann'], 'x@ann @ann@example.com @ANN', []],
  [['हिन्दी', 'Rene\u0301', 'Rene'], '@हिन्दी, @Rene\u0301', ['@हिन्दी', '@Rene\u0301']],
  [[], 'an @ and @ann', []],
])('of %j in "%s" are %j', (names, text, mentions) => {
  const found = (text.match(MENTION) ?? []).flatMap((mention) => mentionOf(mention, names) ?? []);
  expect(found).toEqual(mentions);
});
