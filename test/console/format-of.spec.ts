import { expect, it } from '@jest/globals';
import { formatOf, type Language } from '../../apps/console/src/language/languages.ts';

it.each<[Language, string[], string]>([
  ['en', ['en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-AT', 'en-IE'], 'en-IE'],
  ['en', ['en'], 'en'],
  ['de', ['en-GB'], 'de'],
  ['ar', ['ar-EG'], 'ar-EG-u-nu-latn'],
  // Chromium with LANG=C.
  ['en', ['en-US@posix'], 'en'],
  ['en', ['en-US@posix', 'en-US'], 'en-US'],
])('%s with the tags %j of the browser is written as in %s', (language, tags, format) => {
  expect(formatOf(language, tags)).toBe(format);
});
