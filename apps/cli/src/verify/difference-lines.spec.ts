import { expect, it } from '@jest/globals';
import { differenceLines } from './difference-lines.ts';

const key = { asset_no: 1024, finding_no: 2 };

it('names the row and each field that differs, however deep', () => {
  const live = { state: 'Qualified', body: { version: 9, name: 'a', tags: { x: [1] } } };
  const replayed = { state: 'Failed', body: { version: 1, name: 'a', tags: { x: [2] }, more: null } };
  expect(differenceLines({ table: 'findings', key, live, replayed })).toEqual([
    'findings asset_no=1024 finding_no=2:',
    '  state: live "Qualified", log "Failed"',
    '  body.version: live 9, log 1',
    '  body.tags.x.0: live 1, log 2',
    '  body.more: live nothing, log null',
  ]);
});

it('says of a row that one side lacks which side', () => {
  const row = { state: 'Failed' };
  expect(differenceLines({ table: 'findings', key, live: null, replayed: row })).toEqual([
    'findings asset_no=1024 finding_no=2: missing in the live tables',
  ]);
  expect(differenceLines({ table: 'findings', key, live: row, replayed: null })).toEqual([
    'findings asset_no=1024 finding_no=2: not in the log',
  ]);
});
