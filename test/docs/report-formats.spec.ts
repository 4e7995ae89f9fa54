import { expect, it } from '@jest/globals';
import { knownFormats } from '#libs/reports';
import { SCAN_TYPES } from '../../apps/gateway/src/defectdojo/scan-types.ts';
import { FIXTURES } from '../fixtures/convert/reports.ts';
import { textOf } from './project-texts.ts';

const FORMATS = knownFormats(undefined).map(({ name }) => name);

/** First cells of the tables of a page, without code marks. */
async function firstCells(page: string): Promise<string[]> {
  const rows = (await textOf(page)).matchAll(/^\| (.*?) \|/gm);
  return [...rows].map(([, cell]) => cell!.replaceAll('`', ''));
}

it('the table of formats has a row for each', async () => {
  const cells = await firstCells('docs/converting.md');
  const named = new Set(cells.map((cell) => cell.split(',')[0]));
  expect(FORMATS.filter((name) => !named.has(name))).toEqual([]);
});

it('each format has a report that the tests convert', () => {
  const tested = new Set(FIXTURES.map(({ format }) => format));
  expect(FORMATS.filter((name) => !tested.has(name))).toEqual([]);
});

it("the table of DefectDojo's scan types is that of the service", async () => {
  const rows = [...(await textOf('docs/defectdojo.md')).matchAll(/^\| ([^|]*) \| `([\w-]+)` \|$/gm)];
  const documented = rows.flatMap(([, names, format]) =>
    names!.split(', ').map((name) => `${name}: ${format}`),
  );
  expect(documented.sort()).toEqual(SCAN_TYPES.map(({ name, format }) => `${name}: ${format}`).sort());
});
