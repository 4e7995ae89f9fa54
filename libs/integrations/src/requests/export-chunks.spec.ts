import { expect, it } from '@jest/globals';
import { type ExportStatus, exportChunks } from './export-chunks.ts';

async function flawsOf(status: Partial<ExportStatus>): Promise<string[]> {
  const jobs = {
    start: async () => ({ id: 'x', startedAt: 0, isJoined: false }),
    status: async () => ({
      state: 'finished' as const,
      reason: '',
      ready: [],
      lost: [],
      empty: 0,
      total: null,
      ...status,
    }),
    download: async () => [],
    cancel: async () => {},
    pause: async () => {},
  };
  const flaws: string[] = [];
  for await (const { flaw } of exportChunks('assets', jobs)) if (flaw) flaws.push(flaw.message);
  return flaws;
}

it('a finished export is complete if it lists all chunks, empty ones aside', async () => {
  expect(await flawsOf({ ready: [] })).toEqual([]);
  expect(await flawsOf({ ready: [], total: 0 })).toEqual([]);
  expect(await flawsOf({ ready: [2, 1], total: 2 })).toEqual([]);
  expect(await flawsOf({ ready: [2], empty: 2, total: 3 })).toEqual([]);
});

it('a finished export with fewer chunks than the platform counts is incomplete', async () => {
  const short = 'the platform counts 3 chunks of the export and lists 1';
  expect(await flawsOf({ ready: [1], total: 3 })).toEqual([short]);
  expect(await flawsOf({ ready: [], empty: 1, total: 3 })).toEqual([short]);
  expect(await flawsOf({ ready: [1], lost: [2, 3], total: 3 })).toHaveLength(2);
});
