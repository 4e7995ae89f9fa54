import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SortedRuns } from './sorted-runs.ts';

interface Row {
  name: string;
  id: string;
  text: string;
}

const keyOf = ({ name, id }: Row) => `${name}\n${id}`;
const byKey = (a: Row, b: Row) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0);

describe('rows of many batches', () => {
  it.each([0, 1, 63, 64, 200])('come in one order, more than once: %d batches', async (batches) => {
    const folder = await mkdtemp(join(tmpdir(), 'posture-sorted-runs-'));
    try {
      const runs = new SortedRuns(folder, byKey);
      const all: Row[] = [];
      for (let batch = 0; batch < batches; batch++) {
        const own = [3, 1, 2].map((n) => ({
          name: `host${(batch * n) % 17}`,
          id: `${batch}-${n}`,
          text: 'IT\u2028\n',
        }));
        all.push(...own);
        await runs.add(own);
        await runs.add([]);
      }
      const expected = all.sort(byKey);
      for (let time = 0; time < 2; time++) {
        const merged: Row[] = [];
        for await (const one of runs.merged()) merged.push(one);
        expect(merged).toEqual(expected);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fail with the name of their folder on a full disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'posture-sorted-runs-'));
    try {
      await symlink('/dev/full', join(folder, '1.jsonl'));
      const adding = new SortedRuns(folder, byKey).add([{ name: 'a', id: '1', text: '' }]);
      await expect(adding).rejects.toMatchObject({ name: 'StorageError', code: 'ENOSPC', path: folder });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
