import { fileURLToPath } from 'node:url';
import { formatter } from '@lingui/format-po';

/** The texts of the console: English in the sources, other languages in PO files, messages in ICU format. */
export default {
  rootDir: fileURLToPath(new URL('.', import.meta.url)),
  sourceLocale: 'en',
  locales: ['de', 'ar'],
  catalogs: [
    {
      path: '<rootDir>/src/language/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/language/trans.tsx'],
    },
  ],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'message',
};
