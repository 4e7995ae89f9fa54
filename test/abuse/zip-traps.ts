import { deflateRawSync } from 'node:zlib';
import { plainSignal } from '../support/api-client.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';

const MB = 1_048_576;

/** A ZIP, and the status of its response. */
export interface ZipTrap {
  what: string;
  zip: () => Buffer;
  status: 200 | 400;
}

const good: RawEntry = { name: 'a.json', data: JSON.stringify(plainSignal('a trap', 'zipped')) };
const spaces = () => deflateRawSync(Buffer.alloc(MB, 32), { level: 9 });
const zip64Field = (...values: bigint[]): Buffer => {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(value, 4 + 8 * i);
  return field;
};

export const ZIP_TRAPS: ZipTrap[] = [
  {
    what: '100 MB in one entry of 100 KB',
    zip: () => rawZip([{ name: 'a.json', data: Buffer.alloc(100 * MB) }]),
    status: 400,
  },
  {
    what: '100 MB that say to be 10 bytes',
    zip: () => rawZip([{ name: 'a.json', data: Buffer.alloc(100 * MB), uncompressedSize: 10 }]),
    status: 400,
  },
  { what: 'less than it says', zip: () => rawZip([{ ...good, uncompressedSize: MB }]), status: 400 },
  { what: 'packed to less than it says', zip: () => rawZip([{ ...good, compressedSize: 10 }]), status: 400 },
  {
    what: 'packed beyond the end',
    zip: () => rawZip([{ ...good, compressedSize: 0x7fffffff }]),
    status: 400,
  },
  {
    what: '60 entries of 1 MB of blanks each',
    zip: () => {
      const packed = spaces();
      return rawZip(
        Array.from({ length: 60 }, (_, i) => ({
          name: `${i}.json`,
          data: Buffer.alloc(MB, 32),
          packed,
          uncompressedSize: MB,
        })),
      );
    },
    status: 400,
  },
  {
    what: '300 entries of 1 MB each',
    zip: () => {
      const packed = spaces();
      return rawZip(
        Array.from({ length: 300 }, (_, i) => ({
          name: `${i}.json`,
          data: '',
          packed,
          uncompressedSize: MB,
        })),
      );
    },
    status: 400,
  },
  {
    what: 'entries that share their bytes',
    zip: () => rawZip(Array.from({ length: 1_000 }, (_, i) => ({ ...good, name: `${i}.json`, offset: 0 }))),
    status: 400,
  },
  {
    what: 'an archive within',
    zip: () => rawZip([good, { name: 'b.zip', data: rawZip([good]) }]),
    status: 400,
  },
  {
    what: 'an archive within that says to be a signal, as a quine does of itself',
    zip: () => rawZip([{ name: 'r/r.json', data: rawZip([good]), method: 0 }]),
    status: 400,
  },
  {
    what: '20,000 empty entries',
    zip: () => rawZip(Array.from({ length: 20_000 }, (_, i) => ({ name: `${i}.json`, data: '' }))),
    status: 400,
  },
  { what: 'more entries than it declares', zip: () => rawZip([good, good], { entryCount: 1 }), status: 400 },
  { what: 'fewer entries than it declares', zip: () => rawZip([good], { entryCount: 60_000 }), status: 400 },
  { what: 'an entry that is encrypted', zip: () => rawZip([{ ...good, flags: 1 }]), status: 400 },
  { what: 'an entry that is strongly encrypted', zip: () => rawZip([{ ...good, flags: 0x41 }]), status: 400 },
  ...[1, 6, 9, 12, 14, 93, 99].map((method) => ({
    what: `compression method ${method}`,
    zip: () => rawZip([{ ...good, method }]),
    status: 400 as const,
  })),
  ...['../a.json', 'x/../../a.json', '/etc/a.json', 'C:\\a.json', '..\\..\\a.json', '\\\\host\\a.json'].map(
    (name) => ({
      what: `the path ${name}`,
      zip: () => rawZip([{ ...good, name }]),
      status: 400 as const,
    }),
  ),
  {
    what: 'a name of 60 KB',
    zip: () => rawZip([{ ...good, name: `${'n'.repeat(60_000)}.json` }]),
    status: 400,
  },
  {
    what: 'a name that is no UTF-8',
    zip: () => rawZip([{ ...good, name: Buffer.from('\xff.json', 'latin1') }]),
    status: 200,
  },
  { what: 'the same name twice: both are taken', zip: () => rawZip([good, good]), status: 200 },
  { what: 'a checksum that lies', zip: () => rawZip([{ ...good, crc: 1 }]), status: 400 },
  { what: 'a data descriptor that is not there', zip: () => rawZip([{ ...good, flags: 8 }]), status: 200 },
  {
    what: 'ZIP64 sizes beyond all memory',
    zip: () =>
      rawZip([
        {
          ...good,
          uncompressedSize: 0xffffffff,
          compressedSize: 0xffffffff,
          extra: zip64Field(2n ** 52n, 2n ** 52n),
        },
      ]),
    status: 400,
  },
  {
    what: 'ZIP64 sizes that no number holds',
    zip: () => rawZip([{ ...good, uncompressedSize: 0xffffffff, extra: zip64Field(2n ** 63n) }]),
    status: 400,
  },
  {
    what: 'a ZIP64 field cut off',
    zip: () =>
      rawZip([{ ...good, uncompressedSize: 0xffffffff, extra: Buffer.from([1, 0, 4, 0, 1, 2, 3, 4]) }]),
    status: 400,
  },
  {
    what: 'an extra field that goes on after its end',
    zip: () => rawZip([{ ...good, extra: Buffer.from([0x99, 0x99, 0xff, 0xff]) }]),
    status: 400,
  },
  {
    what: 'an extra field of 60 KB of nothing',
    zip: () => rawZip([{ ...good, extra: Buffer.alloc(60_000) }]),
    status: 200,
  },
  {
    what: 'bytes behind its end',
    zip: () => Buffer.concat([rawZip([good]), Buffer.alloc(100)]),
    status: 400,
  },
  {
    what: 'bytes before its beginning',
    zip: () => Buffer.concat([Buffer.alloc(100), rawZip([good])]),
    status: 400,
  },
  { what: 'an end alone', zip: () => rawZip([]), status: 400 },
];

/** A valid ZIP truncated at many places, and with inverted bytes at others. The places are the same in each run. */
export function* damagedZips(): Generator<Buffer> {
  const zip = rawZip([good, { ...good, name: 'b.json' }]);
  for (let end = 1; end < zip.length; end += 37) yield zip.subarray(0, end);
  for (let at = 0; at < zip.length; at += 5) {
    const damaged = Buffer.from(zip);
    damaged[at] = damaged[at]! ^ 0xff;
    yield damaged;
  }
}
