import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { countsOf, rowOf } from './corpus-counts.ts';

/** A folder with clones of the projects that the list names, each under its name: docs/converting.md states which. */
const folder = process.env.CONVERT_CORPUS;
const LIST_BYTES_MAX = 400_000;

const list = readFileSync(new URL('corpus.tsv', import.meta.url), 'utf8');
const rows = list.trimEnd().split('\n').map(rowOf);

const sumOf = (numbers: string): number => numbers.split(' ').reduce((sum, each) => sum + Number(each), 0);

it('the list of the corpus adds up: mapped findings have a level and a status', () => {
  expect(list.length).toBeLessThan(LIST_BYTES_MAX);
  expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
  for (const { path, format, counts, levels, statuses } of rows) {
    if (format === 'refused') expect([path, counts]).toEqual([path, '']);
    else {
      const [read, listed] = counts.split(' ').map(Number);
      expect([path, sumOf(levels), sumOf(statuses)]).toEqual([path, read! - listed!, read! - listed!]);
    }
  }
});

describe('a corpus of other projects’ reports is rejected or read right', () => {
  const projects = [...new Set(rows.map(({ path }) => path.split('/', 1)[0]!))];

  (folder ? it : it.skip).each(projects)(
    '%s',
    async (project) => {
      const differing = [];
      for (const row of rows.filter(({ path }) => path.startsWith(`${project}/`))) {
        if (!existsSync(join(folder!, row.path))) throw new Error(`${row.path} is not in the folder`);
        const counted = await countsOf(folder!, row.path);
        if (JSON.stringify(counted) !== JSON.stringify(row)) differing.push({ expected: row, counted });
      }
      expect(differing).toEqual([]);
    },
    600_000,
  );
});
