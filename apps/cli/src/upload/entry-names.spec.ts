import { describe, expect, it } from '@jest/globals';
import { uniqueNames } from './entry-names.ts';

describe('names of packed entries', () => {
  it('distinguishes files of one name, also if only the case differs', () => {
    const name = uniqueNames();
    expect(['a.json', 'A.json', 'a-2.json', 'in/a.json'].map(name)).toEqual([
      'a.json',
      'A-2.json',
      'a-2-2.json',
      'in/a.json',
    ]);
  });

  it('hides no signal with a leading dot and keeps no backslash (R-ZIP-2)', () => {
    expect(['.secret.json', 'a\\b.json'].map(uniqueNames())).toEqual(['secret.json', 'a_b.json']);
  });
});
