import { expect, it } from '@jest/globals';
import { assetId, findingId } from '#libs/domain';
import { sealedKey, TextOpener } from '#libs/sealing';
import type { FoldedRow } from '../support/folded-rows.ts';
import { SubjectKeysInMemory } from '../support/subject-keys-in-memory.ts';
import { GoldenLog } from './golden-logs.ts';
import { canonical } from './recorded-rows.ts';

const ANA = 'user:ana@acme.com';
/** The openings at the end of the recorded log have no rows, but positions and clocks. */
const TABLES = new Set(['assets', 'findings', 'asset_history', 'finding_history', 'acts', 'upload_progress']);

/** The beginning of a sealed name cannot be opened. */
const comparable = ({ table, row }: FoldedRow) => canonical({ table, row: { ...row, sort_name: null } });

const rowsIn = (lines: readonly string[]): string[] =>
  lines
    .map((line): FoldedRow => JSON.parse(line))
    .filter(({ table }) => TABLES.has(table))
    .map(comparable)
    .sort();

it('the golden log that was sealed has the rows of the old one, apart from ids and texts', async () => {
  const keys = new SubjectKeysInMemory();
  for (const name of [ANA, 'person:ben', 'person:admin', 'person:ana']) keys.keyOf(name);
  const opener = new TextOpener(keys, (error) => {
    throw error;
  });
  const recorded = await opener.text((await new GoldenLog('16-sealed-log').rows()).join('\n'));
  const key = sealedKey(keys.keyOf(ANA).subject);
  const names = ['leak', 'weak'].map((name) => [
    findingId(assetId(key), 'va', name),
    findingId(assetId(ANA), 'va', name),
  ]);
  const renamed = [[key, ANA], [assetId(key), assetId(ANA)], ...names].reduce(
    (text, [from, to]) => text.replaceAll(from!, to!),
    recorded,
  );
  const old = rowsIn(await new GoldenLog('16-before-sealing').rows());
  expect(old.length).toBeGreaterThan(20);
  expect(rowsIn(renamed.split('\n'))).toEqual(old);
});
