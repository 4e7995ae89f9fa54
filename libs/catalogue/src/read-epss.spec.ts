import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { type EpssRow, readEpss } from './read-epss.ts';
import { EPSS_CSV } from './testing/samples.ts';
import { all, TemporaryFiles } from './testing/temporary-files.ts';

let files: TemporaryFiles;
beforeEach(async () => {
  files = await TemporaryFiles.create();
});
afterEach(() => files.remove());

const read = async (content: string | Buffer, name = 'epss_scores-2026-05-30.csv') =>
  all(readEpss(await files.write(name, content)));

const row = (cve: string, probability: number, percentile: number): EpssRow => ({
  cve,
  probability,
  percentile,
  date: '2026-05-30',
  model: 'v2025.03.14',
});

describe('EPSS files (D24)', () => {
  it.each([
    ['packed', gzipSync(EPSS_CSV), 'epss_scores-2026-05-30.csv.gz'],
    ['packed under a plain name', gzipSync(EPSS_CSV), 'epss.csv'],
    ['plain', EPSS_CSV, 'epss.csv'],
    ['with a byte order mark and CRLF', `\uFEFF${EPSS_CSV.replaceAll('\n', '\r\n')}`, 'epss.csv'],
    ['with the time zone of older files', EPSS_CSV.replace('12:55:00Z', '00:00:00+0000'), 'epss.csv'],
  ])('are read %s', async (_, content, name) => {
    expect(await read(content, name)).toEqual([
      row('CVE-2024-10001', 0.00046, 0.1385),
      row('CVE-2024-10002', 0.04525, 0.92176),
      row('CVE-2024-10003', 1, 1),
      row('CVE-2024-1000400', 0, 0),
    ]);
  });

  it('are streamed: the first row comes long before the last byte is read', async () => {
    const line = (i: number) => `CVE-2024-${100_000 + i},0.00046,0.1385\n`;
    const rows = Array.from({ length: 20_000 }, (_, i) => line(i)).join('');
    const content = EPSS_CSV + rows;
    let bytes = 0;
    const path = await files.write('epss.csv', content);
    const reader = readEpss(path, { onBytes: (read) => (bytes = read) });
    await reader.next();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(content.length / 4);
    expect(await all(reader)).toHaveLength(20_003);
    expect(bytes).toBe(content.length);
  });

  const damaged: [name: string, content: string | Buffer, problem: RegExp][] = [
    ['without its first line', EPSS_CSV.replace(/^.*\n/, ''), /line 1: must be `#model_version/],
    ['with an impossible day', EPSS_CSV.replace('2026-05-30', '2026-02-30'), /line 1: must be/],
    ['with a 13th month', EPSS_CSV.replace('2026-05-30', '2026-13-30'), /line 1: must be/],
    ['with another header', EPSS_CSV.replace('cve,epss', 'cve,score'), /line 2: the header must be/],
    [
      'with a probability above 1',
      EPSS_CSV.replace('0.04525', '1.04525'),
      /line 4: epss of CVE-2024-10002 must be/,
    ],
    ['with a negative one', EPSS_CSV.replace('0.04525', '-0.1'), /line 4: epss/],
    ['with none', EPSS_CSV.replace('0.04525', ''), /line 4: epss/],
    ['with a word for one', EPSS_CSV.replace('0.04525', 'high'), /line 4: epss/],
    ['with NaN for one', EPSS_CSV.replace('0.04525', 'NaN'), /line 4: epss/],
    ['with a percentile above 1', EPSS_CSV.replace('0.92176', '92.176'), /line 4: percentile/],
    ['with an id that is none', EPSS_CSV.replace('CVE-2024-10002', 'GHSA-2024'), /line 4: does not begin/],
    ['with a column too few', EPSS_CSV.replace(',0.92176', ''), /line 4: has 2 columns; 3 were expected/],
    ['with quotes that do not match', EPSS_CSV.replace('0.04525', '"0.04525'), /no valid CSV/],
    ['cut off within a number', EPSS_CSV.slice(0, -30), /ends in the middle of a line/],
    ['cut off after the header', EPSS_CSV.split('\n').slice(0, 2).join('\n').concat('\n'), /no forecasts/],
    ['that is empty', '', /line 1: must be/],
    [
      'packed and cut off',
      gzipSync(EPSS_CSV.repeat(1)).subarray(0, -20),
      /ends before its compressed data does/,
    ],
    [
      'packed and damaged',
      flipped(gzipSync(EPSS_CSV)),
      /compressed data is damaged|must|column|does not|middle/,
    ],
    ['of HTML, as a proxy answers', '<!DOCTYPE html>\n<html></html>\n', /line 1: must be/],
  ];

  it.each(damaged)('%s are refused with the place', async (_, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/epss_scores-2026-05-30\.csv/);
  });

  it('that are not there are an error of the system', async () => {
    await expect(all(readEpss(`${files.path}/none`))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = copy[middle]! ^ 0xff;
  return copy;
}
