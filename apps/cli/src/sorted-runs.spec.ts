import { describe, expect, it } from '@jest/globals';
import { linesOf } from './lines-of.ts';
import { byNameAndId } from './report/by-name-and-id.ts';
import type { ReportAsset } from './report/report-content.ts';
import { SortedRuns } from './sorted-runs.ts';

const asset = (name: string, id: string): ReportAsset => ({
  id,
  name,
  type: 'Server',
  attackSurface: 'Infrastructure',
  department: 'IT\u2028\n',
  location: 'Oslo',
  criticality: null,
  open: [],
  accepted: [],
});

describe('assets of many partitions', () => {
  it.each([0, 1, 63, 64, 200])('come in one order, more than once: %d partitions', async (partitions) => {
    const runs = await SortedRuns.create(byNameAndId);
    try {
      const all: ReportAsset[] = [];
      for (let partition = 0; partition < partitions; partition++) {
        const own = [3, 1, 2].map((n) => asset(`host${(partition * n) % 17}`, `${partition}-${n}`));
        all.push(...own);
        await runs.add(own);
        await runs.add([]);
      }
      const expected = all.sort((a, b) => (`${a.name}\n${a.id}` < `${b.name}\n${b.id}` ? -1 : 1));
      for (let time = 0; time < 2; time++) {
        const merged: ReportAsset[] = [];
        for await (const one of runs.merged()) merged.push(one);
        expect(merged).toEqual(expected);
      }
    } finally {
      await runs.remove();
    }
  });
});

describe('the lines of a stream', () => {
  async function* chunks(text: string, size: number): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }

  it.each([1, 2, 3, 100])('end only at line feeds, for pieces of %d bytes', async (size) => {
    const lines: string[] = [];
    for await (const line of linesOf(chunks('a\n\nb\r\u2028ä\n\rlast', size))) lines.push(line.toString());
    expect(lines).toEqual(['a\n', '\n', 'b\r\u2028ä\n', '\rlast']);
  });
});
