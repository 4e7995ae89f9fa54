import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fromBuffer } from 'yauzl';
import { readZip } from '../../../test/fixtures/cli/read-zip.ts';
import { deflated, writeZip, type ZipEntry } from './write-zip.ts';

const entry = (name: string, content: Buffer): ZipEntry => ({ name, read: async () => deflated(content) });

function namesIn(zip: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const names: string[] = [];
    fromBuffer(zip, (error, file) => {
      if (error) return reject(error);
      file.on('error', reject).on('end', () => resolve(names));
      file.on('entry', ({ fileName }) => names.push(fileName));
    });
  });
}

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

  it('holds more entries than a ZIP without ZIP64', async () => {
    const many = Array.from({ length: 65_536 }, (_, n) => entry(`${n}.json`, Buffer.from(`{"a":${n}}`)));
    const names = await namesIn(await writeZip(many, null, 16_777_216));
    expect(names).toEqual(many.map(({ name }) => name));
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
