import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readZip } from '../../../test/fixtures/cli/read-zip.ts';
import { type PackableSignal, planZips, ZIP_LIMITS } from './plan-zips.ts';
import { deflated, writeZip } from './write-zip.ts';

const LIMITS = { zipBytesMax: 4000, unpackedBytesMax: 9000, entriesMax: 12 };

const signals = fc
  .array(
    fc.record({
      entityKey: fc.constantFrom('machine:a', 'machine:b', 'machine:c', 'user:d', 'user:e'),
      deflatedBytes: fc.integer({ min: 1, max: 1500 }),
      unpackedBytes: fc.integer({ min: 1, max: 3000 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((signal, index) => ({ ...signal, entryName: `${index}.json` })));

const zipsOfEntity = (zips: PackableSignal[][], key: string) =>
  zips.filter((zip) => zip.some(({ entityKey }) => entityKey === key)).length;

function expectWithinLimits(zips: PackableSignal[][]): void {
  for (const zip of zips) {
    expect(zip.length).toBeLessThanOrEqual(LIMITS.entriesMax);
    expect(zip.reduce((sum, each) => sum + each.deflatedBytes, 0)).toBeLessThanOrEqual(LIMITS.zipBytesMax);
    expect(zip.reduce((sum, each) => sum + each.unpackedBytes, 0)).toBeLessThanOrEqual(
      LIMITS.unpackedBytesMax,
    );
  }
}

describe('packing signals into ZIPs (R-ZIP-8, R-CLI-3)', () => {
  it('packs every signal once, in ZIPs within the limits, an entity in order and never split in replace mode', () => {
    fc.assert(
      fc.property(signals, (list) => {
        const { zips, oversizedEntities, splitEntities } = planZips(list, true, LIMITS);
        expectWithinLimits(zips);
        expect(splitEntities).toEqual([]);
        const packable = list.filter(({ entityKey }) => !oversizedEntities.includes(entityKey));
        for (const key of new Set(packable.map(({ entityKey }) => entityKey))) {
          expect(zipsOfEntity(zips, key)).toBe(1);
          const ofEntity = (all: PackableSignal[]) => all.filter(({ entityKey }) => entityKey === key);
          expect(ofEntity(zips.flat())).toEqual(ofEntity(packable));
        }
        expect(zips.flat()).toHaveLength(packable.length);
      }),
    );
  });

  it('splits in append mode only entities that fit in no ZIP, names them, and loses nothing', () => {
    fc.assert(
      fc.property(signals, (list) => {
        const { zips, oversizedEntities, splitEntities } = planZips(list, false, LIMITS);
        expectWithinLimits(zips);
        expect(oversizedEntities).toEqual([]);
        const byName = (a: PackableSignal, b: PackableSignal) => a.entryName.localeCompare(b.entryName);
        expect(zips.flat().sort(byName)).toEqual([...list].sort(byName));
        for (const key of new Set(list.map(({ entityKey }) => entityKey))) {
          if (!splitEntities.includes(key)) expect(zipsOfEntity(zips, key)).toBe(1);
        }
        const oversized = planZips(list, true, LIMITS).oversizedEntities;
        expect(splitEntities).toEqual(oversized);
      }),
    );
  });

  it('makes no empty ZIP', () => {
    expect(planZips([], true).zips).toEqual([]);
  });

  it('never underestimates the size of the written ZIP', async () => {
    const contents = fc.sample(fc.string({ minLength: 1, maxLength: 400, unit: 'binary' }), {
      numRuns: 300,
      seed: 7,
    });
    const list = contents.map((text, index) => {
      const content = Buffer.from(JSON.stringify({ text }));
      return {
        entryName: `Grüße/${index}-é.json`,
        entityKey: 'machine:a',
        content,
        deflatedBytes: deflated(content).bytes.length,
        unpackedBytes: content.length,
      };
    });
    const entries = list.map(({ entryName, content }) => ({
      name: entryName,
      read: async () => deflated(content),
    }));
    const zip = await writeZip(entries, Buffer.from('{}'));
    const bounds = (zipBytesMax: number) => planZips(list, true, { ...ZIP_LIMITS, zipBytesMax });
    expect(bounds(zip.length - 200).oversizedEntities).toEqual(['machine:a']);
    const back = await readZip(zip);
    expect([...back.keys()]).toEqual(['config.json', ...list.map(({ entryName }) => entryName)]);
    expect(back.get('Grüße/7-é.json')).toBe(list[7]!.content.toString());
  });
});
