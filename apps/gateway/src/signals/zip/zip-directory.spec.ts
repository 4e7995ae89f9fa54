import { buffer } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import yazl from 'yazl';
import { rawZip } from '../../../../../test/support/raw-zip.ts';
import { unpackEntry } from './unpack-entry.ts';
import { readZipDirectory } from './zip-directory.ts';
import { ENTRIES_MAX, ENTRY_BYTES_MAX } from './zip-limits.ts';
import { ZipRefused } from './zip-refused.ts';

/** Reads a ZIP whole; the refusal's message if it is refused. */
async function unpack(zip: Buffer): Promise<string[] | string> {
  try {
    const entries = await readZipDirectory(zip);
    return entries.map((entry) => `${entry.name}=${unpackEntry(zip, entry).toString()}`);
  } catch (error) {
    if (error instanceof ZipRefused) return error.message;
    throw error;
  }
}

const good = { name: 'a.json', data: '{"a":1}' };

/** With other text at an offset. */
function changed(zip: Buffer, offset: number, text: string): Buffer {
  zip.write(text, offset);
  return zip;
}

describe('readZipDirectory and unpackEntry (R-ZIP-9)', () => {
  it('replaces the marks of sealed texts in names, so that no sender forges one', async () => {
    const zip = rawZip([{ ...good, name: '\ufdd0v1.x.y\ufdd1.json' }]);
    expect(await unpack(zip)).toEqual(['\ufffdv1.x.y\ufffd.json={"a":1}']);
  });

  it('reads deflated and stored entries in central-directory order, as yazl packs them', async () => {
    const file = new yazl.ZipFile();
    file.addBuffer(Buffer.from('{"b":1}'), 'x/b.json');
    file.addBuffer(Buffer.from('{"a":1}'), 'ä.json', { compress: false });
    file.addEmptyDirectory('empty');
    file.addBuffer(Buffer.alloc(0), 'nothing.json');
    file.end();
    expect(await unpack(await buffer(file.outputStream))).toEqual([
      'x/b.json={"b":1}',
      'ä.json={"a":1}',
      'empty/=',
      'nothing.json=',
    ]);
  });

  it('takes an entry of exactly 1 MB', async () => {
    const zip = rawZip([{ name: 'a.json', data: Buffer.alloc(ENTRY_BYTES_MAX, 32) }]);
    const [entry] = await readZipDirectory(zip);
    expect(unpackEntry(zip, entry!)).toHaveLength(ENTRY_BYTES_MAX);
  });

  it('makes U+0000 in a name U+FFFD', async () => {
    expect(await unpack(rawZip([{ ...good, name: 'a\0b.json' }]))).toEqual(['a\uFFFDb.json={"a":1}']);
  });

  it.each([
    ['nothing at all', Buffer.alloc(0), /not a ZIP/],
    ['text', Buffer.from('{"not":"a zip"}'), /not a ZIP/],
    ['a ZIP cut at half', rawZip([good, good]).subarray(0, 60), /truncated or damaged/],
    ['a ZIP without its last byte', rawZip([good]).subarray(0, -1), /truncated or damaged/],
    ['bytes after the end', Buffer.concat([rawZip([good]), Buffer.alloc(9)]), /truncated or damaged/],
    ['an encrypted entry', rawZip([{ ...good, flags: 1 }]), /^entry "a.json": the entry is encrypted/],
    ['strong encryption', rawZip([{ ...good, flags: 0x41 }]), /strong encryption/],
    ['another compression', rawZip([{ ...good, method: 12 }]), /"a.json": compression method 12/],
    [
      'a climbing path',
      rawZip([{ ...good, name: 'x/../../a.json' }]),
      /"x\/..\/..\/a.json": the path leads outside/,
    ],
    ['a climbing path, Windows', rawZip([{ ...good, name: '..\\a.json' }]), /the path leads outside/],
    ['an absolute path', rawZip([{ ...good, name: '/etc/a.json' }]), /absolute/],
    ['an absolute path, Windows', rawZip([{ ...good, name: 'C:\\a.json' }]), /absolute/],
    [
      'a name of 1,025 bytes',
      rawZip([{ ...good, name: `${'n'.repeat(1_020)}.json` }]),
      /name of an entry has 1025 bytes/,
    ],
    ['a wrong checksum', rawZip([{ ...good, crc: 1 }]), /"a.json": the entry is damaged: its checksum/],
    ['garbage for data', rawZip([{ ...good, packed: Buffer.alloc(9, 255) }]), /cannot be uncompressed/],
    [
      'data cut short',
      rawZip([{ ...good, packed: deflateRawSync('{"a":1}').subarray(0, 4) }]),
      /cannot be uncompressed/,
    ],
    ['a declared size below the real', rawZip([{ ...good, uncompressedSize: 3 }]), /exceeds the declared 3/],
    [
      'a declared size above the real',
      rawZip([{ ...good, uncompressedSize: 99 }]),
      /is 7 bytes, but the entry declares 99/,
    ],
    [
      'stored with a lying size',
      rawZip([{ ...good, method: 0, uncompressedSize: 3 }]),
      /but the entry declares 3/,
    ],
    ['data past the end', rawZip([{ ...good, compressedSize: 9_999 }]), /ends after the archive/],
    [
      'a directory that points nowhere',
      rawZip([{ ...good, offset: 1 }]),
      /not at the position in the directory/,
    ],
    [
      'a directory that points outside',
      rawZip([{ ...good, offset: 1e9 }]),
      /not at the position in the directory/,
    ],
    ['two entries on the same data', rawZip([good, { ...good, offset: 0 }]), /overlaps/],
    [
      'another name before the data',
      changed(rawZip([good]), 30, 'b'),
      /name or compression method of the entry differs/,
    ],
    [
      'another method before the data',
      changed(rawZip([good]), 8, '\0'),
      /name or compression method of the entry differs/,
    ],
    [
      'the data of another entry',
      rawZip([good, { ...good, name: 'b.json', offset: 0 }]),
      /"b.json": the name or compression method/,
    ],
    ['entries hidden by the count', rawZip([good, good], { entryCount: 1 }), /more than the 1 entries/],
    ['entries missing from the directory', rawZip([good], { entryCount: 2 }), /truncated or damaged/],
  ])('rejects %s', async (_, zip, message) => {
    expect(await unpack(zip)).toMatch(message);
  });

  it('rejects an entry over 1 MB by its declared and by its actual size', async () => {
    const zeros = Buffer.alloc(ENTRY_BYTES_MAX + 1);
    expect(await unpack(rawZip([{ name: 'a.json', data: zeros }]))).toMatch(
      /uncompressed size is 1048577 bytes/,
    );
    const lying = rawZip([{ name: 'a.json', data: zeros, uncompressedSize: ENTRY_BYTES_MAX }]);
    expect(await unpack(lying)).toMatch(/is 1048577 bytes, but the entry declares 1048576/);
  });

  it('rejects more than 200 MB unpacked before unpacking any', async () => {
    const packed = deflateRawSync(Buffer.alloc(ENTRY_BYTES_MAX, 32));
    const entries = Array.from({ length: 201 }, (_, i) => ({
      name: `${i}.json`,
      data: '',
      packed,
      uncompressedSize: ENTRY_BYTES_MAX,
    }));
    expect(await unpack(rawZip(entries))).toMatch(
      /uncompressed size of the ZIP is 210763776 bytes: at most 209715200/,
    );
  });

  it('rejects more than 100,000 entries before reading them', async () => {
    expect(await unpack(zip64With(ENTRIES_MAX + 1))).toMatch(/100001 entries: at most 100000/);
  });

  it('never throws anything but a refusal on mutated archives', async () => {
    const zip = rawZip([good, { name: 'b.json', data: 'x'.repeat(500) }]);
    const mutation = fc.array(fc.record({ at: fc.nat(zip.length - 1), to: fc.nat(255) }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(mutation, fc.nat(zip.length), async (changes, cut) => {
        const mutated = Buffer.from(zip);
        for (const { at, to } of changes) mutated[at] = to;
        expect(['string', 'object']).toContain(typeof (await unpack(mutated)));
        expect(['string', 'object']).toContain(typeof (await unpack(mutated.subarray(0, cut))));
      }),
      { numRuns: 300 },
    );
  });
});

/** Only the end of a ZIP64 archive, which contains the number of entries. */
function zip64With(entryCount: number): Buffer {
  const zip = rawZip([good]);
  const end = Buffer.from(zip.subarray(-22));
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(entryCount), 32);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(zip.length - 22), 8);
  return Buffer.concat([zip.subarray(0, -22), record, locator, end]);
}
