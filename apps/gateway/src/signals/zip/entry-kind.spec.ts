import { describe, expect, it } from '@jest/globals';
import { configEntryOf, entryKind, isConfigName } from './entry-kind.ts';

describe('entryKind (R-ZIP-2)', () => {
  it.each(['a.json', 'A.JSON', 'deep/er/b.Json', 'config.json.json'])('%s is a signal', (name) =>
    expect(entryKind(name)).toBe('signal'),
  );

  it.each([
    'folder/',
    '__MACOSX/._a.json',
    '__MACOSX/x/a.json',
    '.DS_Store',
    'x/.hidden.json',
    'Thumbs.db',
    'x/thumbs.DB',
    'desktop.ini',
  ])('%s is skipped', (name) => expect(entryKind(name)).toBe('skipped'));

  it.each(['inner.zip', 'x/y.tar.gz', 'a.JAR'])('%s is a nested archive', (name) =>
    expect(entryKind(name)).toBe('nested'),
  );

  it.each(['readme.txt', 'a.json.bak', 'json', 'x/__MACOSX/a.txt'])('%s is malformed', (name) =>
    expect(entryKind(name)).toBe('malformed'),
  );
});

describe('configEntryOf (R-ZIP-3)', () => {
  it('finds it at the root', () => {
    expect(configEntryOf(['x/a.json', 'config.json'])).toBe('config.json');
  });

  it('finds it in the single top folder', () => {
    expect(configEntryOf(['up/a.json', 'up/config.json', 'up/x/config.json'])).toBe('up/config.json');
  });

  it('finds none in a deeper folder, or if there is another top folder', () => {
    expect(configEntryOf(['up/x/config.json', 'up/a.json'])).toBeNull();
    expect(configEntryOf(['up/config.json', 'other/a.json'])).toBeNull();
    expect(configEntryOf(['a.json', 'up/config.json'])).toBeNull();
    expect(configEntryOf([])).toBeNull();
  });
});

it.each([
  ['config.json', true],
  ['a/b/Config.JSON', true],
  ['my-config.json', false],
  ['config.json.json', false],
  ['config.json/a.json', false],
])('%s is named like a ZipConfig: %s', (name, isConfig) => expect(isConfigName(name)).toBe(isConfig));
