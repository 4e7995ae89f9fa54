import { expect, it } from '@jest/globals';
import { line, lines } from './plain-text.ts';

it.each([
  ['Fixed in:\t4.2\r\nreturn\tnow\u0000', 'Fixed in: 4.2\nreturn now', 'Fixed in: 4.2 return now'],
  ['a\vb\fc', 'a b c', 'a b c'],
])('%j: no words are joined', (text, asLines, asLine) => {
  expect([lines(text, 100), line(text, 100)]).toEqual([asLines, asLine]);
});
