import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EPSS_CSV } from '../../../test/fixtures/catalogue/samples.ts';
import { all, TemporaryFiles } from '../../../test/fixtures/catalogue/temporary-files.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { type EpssRow, readEpss } from './read-epss.ts';

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

describe('EPSS files (R-CAT-1)', () => {
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

  describe('without the comment line, as before 2022', () => {
    const lines = EPSS_CSV.replace(/^.*\n/, '');
    const dates = async (content: string, name: string, day?: string) => {
      const rows = await all(
        readEpss(await files.write(name, content), { ...(day !== undefined && { day }) }),
      );
      return rows.map(({ date, model }) => `${date} ${model}`);
    };

    it('have the day of their names', async () => {
      expect(await dates(lines, 'epss_scores-2021-05-30.csv', '2021-06-01')).toEqual(
        Array(4).fill('2021-05-30 null'),
      );
    });

    it('have the given day under any other name', async () => {
      expect(await dates(lines, 'epss.csv', '2021-06-01')).toEqual(Array(4).fill('2021-06-01 null'));
    });

    it('are rejected if their day is unknown', async () => {
      await expect(dates(lines, 'epss.csv')).rejects.toThrow(
        /line 1: must be `#model_version.*unless the file is named epss_scores-YYYY-MM-DD\.csv or the day is given/,
      );
      await expect(dates(lines, 'epss_scores-2021-02-30.csv')).rejects.toThrow(/or the day is given/);
    });

    it('are read without percentiles, and name the line of an error', async () => {
      const short = lines.replaceAll(/,[^,\n]*\n/g, '\n');
      const name = 'epss_scores-2021-05-30.csv';
      expect(await read(short, name)).toMatchObject([{ percentile: null }, {}, {}, { probability: 0 }]);
      await expect(read(lines.replace('0.04525', 'x'), name)).rejects.toThrow(/line 3: epss of/);
      await expect(read(lines.replace('epss', 'score'), name)).rejects.toThrow(/line 1: the header must be/);
      await expect(read('cve,epss,percentile\n', name)).rejects.toThrow(/has no forecasts/);
    });
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
    ['with only a part of its first line', EPSS_CSV.replace(/^.{20}/, ''), /line 1: must be `#model_version/],
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
    ['with quotes that do not match', EPSS_CSV.replace('0.04525', '"0.04525'), /not valid CSV/],
    ['with a quote within a field', EPSS_CSV.replace('0.04525', '0"04525'), /line 4: is not valid CSV/],
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

  it.each(damaged)('%s are rejected with the place', async (_, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/epss_scores-2026-05-30\.csv/);
  });

  it('are rejected if a directory has none', async () => {
    await expect(all(readEpss(files.path))).rejects.toThrow(/has no forecasts/);
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
