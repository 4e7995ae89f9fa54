import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP for tests; every field of its headers can be made to be. */
export interface RawEntry {
  name: string | Buffer;
  data: Buffer | string;
  method?: number;
  flags?: number;
  crc?: number;
  compressedSize?: number;
  uncompressedSize?: number;
  /** Offset of the local header as stated in the directory. */
  offset?: number;
  /** The compressed bytes, if they are not derived from `data`. */
  packed?: Buffer;
  /** The extra field of the directory record. */
  extra?: Buffer;
}

const UTF8_NAMES = 0x800;
/** A compressor for each of many empty entries takes longer than all the rest. */
const PACKED_NOTHING = deflateRawSync('');

/** A ZIP byte by byte; `entryCount` is declared by its end record. */
export function rawZip(entries: RawEntry[], { entryCount = entries.length } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const fields = fieldsOf(entry);
    const local = Buffer.concat([localHeader(fields), fields.name, fields.packed]);
    directory.push(directoryRecord(fields, entry.offset ?? offset), fields.name, fields.extra);
    locals.push(local);
    offset += local.length;
  }
  const records = Buffer.concat(directory);
  return Buffer.concat([...locals, records, endRecord(entryCount, records.length, offset)]);
}

const packedOf = (data: Buffer) => (data.length === 0 ? PACKED_NOTHING : deflateRawSync(data));

function fieldsOf(entry: RawEntry) {
  const data = Buffer.from(entry.data);
  const method = entry.method ?? 8;
  const packed = entry.packed ?? (method === 8 ? packedOf(data) : data);
  return {
    name: Buffer.from(entry.name),
    packed,
    method,
    flags: (entry.flags ?? 0) | UTF8_NAMES,
    crc: entry.crc ?? crc32(data),
    compressedSize: entry.compressedSize ?? packed.length,
    uncompressedSize: entry.uncompressedSize ?? data.length,
    extra: entry.extra ?? Buffer.alloc(0),
  };
}

type Fields = ReturnType<typeof fieldsOf>;

function commonFields({ flags, method, crc, compressedSize, uncompressedSize, name }: Fields): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(flags, 2);
  bytes.writeUInt16LE(method, 4);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(compressedSize, 14);
  bytes.writeUInt32LE(uncompressedSize, 18);
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

const localHeader = (fields: Fields) => Buffer.concat([signature(0x04034b50), commonFields(fields)]);

function directoryRecord(fields: Fields, offset: number): Buffer {
  const common = commonFields(fields);
  common.writeUInt16LE(fields.extra.length, 24);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, rest]);
}

function endRecord(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const bytes = Buffer.alloc(18);
  bytes.writeUInt16LE(entries, 4);
  bytes.writeUInt16LE(entries, 6);
  bytes.writeUInt32LE(directoryBytes, 8);
  bytes.writeUInt32LE(directoryOffset, 12);
  return Buffer.concat([signature(0x06054b50), bytes]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
