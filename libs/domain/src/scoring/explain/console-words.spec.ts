import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { ASSET_ADDED, ASSET_REMOVED } from './cause-words.ts';

it.each([ASSET_ADDED, ASSET_REMOVED])('the console knows the sentence %j', async (sentence) => {
  expect(await readFile('apps/console/src/risk/cause-words.ts', 'utf8')).toContain(`'${sentence}'`);
});
