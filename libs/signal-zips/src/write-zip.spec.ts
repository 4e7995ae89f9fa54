import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readZip } from '../../../test/fixtures/cli/read-zip.ts';
import { writeZip, type ZipEntry } from './write-zip.ts';

const entry = (name: string, content: Buffer): ZipEntry => ({ name, read: async () => content });

describe('writing a ZIP', () => {
  it('puts config.json at the root and the signals in their order (R-ZIP-3, R-ZIP-4)', async () => {
    const signals = [entry('b.json', Buffer.from('{"b":1}')), entry('a.json', Buffer.from('{"a":1}'))];
    const zip = await readZip(await writeZip(signals, Buffer.from('{}')));
    expect([...zip]).toEqual([
      ['config.json', '{}'],
      ['b.json', '{"b":1}'],
      ['a.json', '{"a":1}'],
    ]);
  });

  it('makes the same bytes of the same signals', async () => {
    const write = () => writeZip([entry('a.json', Buffer.from('{"a":1}'))], null);
    expect(await write()).toEqual(await write());
  });

  it('stops if files grew above the limit of the service', async () => {
    const grown = Array.from({ length: 6 }, (_, n) => entry(`${n}.json`, randomBytes(1_048_576)));
    await expect(writeZip(grown, null)).rejects.toThrow('files grew during packing');
  });

  it('reports why an entry could not be read', async () => {
    const gone = { name: 'a.json', read: () => Promise.reject(new Error('a.json is gone')) };
    await expect(writeZip([gone], null)).rejects.toThrow('a.json is gone');
  });
});
