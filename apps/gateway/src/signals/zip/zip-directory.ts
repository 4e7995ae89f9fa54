import yauzl from 'yauzl';
import { storableText } from '#libs/contracts';
import { ENTRIES_MAX, ENTRY_BYTES_MAX, ENTRY_NAME_BYTES_MAX, UNPACKED_BYTES_MAX } from './zip-limits.ts';
import { entryRefused, ZipRefused } from './zip-refused.ts';

/** An entry of the central directory, its local header checked: the position of its data and its unpacked size. */
export interface ZipEntry {
  name: string;
  isDeflated: boolean;
  dataStart: number;
  compressedSize: number;
  uncompressedSize: number;
  crc32: number;
}

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_RECORD = 0x02014b50;
const EMPTY_ARCHIVE = 0x06054b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * The entries of a ZIP in central-directory order, none unpacked yet. Whatever could make unpacking unsafe, costly or
 * ambiguous is rejected here, from only the directory (R-ZIP-9).
 * @throws ZipRefused
 */
export async function readZipDirectory(zip: Buffer): Promise<ZipEntry[]> {
  checkSignature(zip);
  const file = await open(zip);
  if (file.entryCount > ENTRIES_MAX) {
    throw new ZipRefused(`the ZIP has ${file.entryCount} entries: at most ${ENTRIES_MAX} are allowed`);
  }
  const found = await readEntries(file);
  checkEnd(zip, file);
  const entries = found.map((entry) => checkEntry(zip, entry));
  checkUnpackedSize(entries);
  checkOverlaps(found, entries);
  return entries;
}

function checkSignature(zip: Buffer): void {
  const signature = zip.length < 4 ? 0 : zip.readUInt32LE(0);
  if (signature !== LOCAL_HEADER && signature !== EMPTY_ARCHIVE) {
    throw new ZipRefused('the part `file` is not a ZIP: it does not start with a ZIP signature');
  }
}

async function open(zip: Buffer): Promise<yauzl.ZipFile> {
  try {
    return await yauzl.fromBufferPromise(zip, { decodeStrings: false, validateEntrySizes: false });
  } catch (error) {
    throw unreadable(error);
  }
}

async function readEntries(file: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  const entries: yauzl.Entry[] = [];
  try {
    for await (const entry of file.eachEntry()) entries.push(entry);
  } catch (error) {
    throw unreadable(error);
  }
  return entries;
}

const unreadable = (error: unknown): ZipRefused =>
  new ZipRefused(`the ZIP is truncated or damaged: ${(error as Error).message}`);

/** A directory that continues after its declared number of entries would hide them from some readers and not others. */
function checkEnd(zip: Buffer, file: yauzl.ZipFile): void {
  // A number in truth: its type declaration is wrong.
  const end = file.readEntryCursor as unknown as number;
  if (end + 4 <= zip.length && zip.readUInt32LE(end) === DIRECTORY_RECORD) {
    throw new ZipRefused(
      `the ZIP is damaged: its directory has more than the ${file.entryCount} entries that it declares`,
    );
  }
}

function checkEntry(zip: Buffer, entry: yauzl.Entry): ZipEntry {
  const name = checkedName(entry);
  if (entry.isEncrypted()) throw entryRefused(name, 'the entry is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw entryRefused(
      name,
      `compression method ${entry.compressionMethod} is not supported: use store or deflate`,
    );
  }
  if (entry.uncompressedSize > ENTRY_BYTES_MAX) {
    throw entryRefused(
      name,
      `the uncompressed size is ${entry.uncompressedSize} bytes: at most ${ENTRY_BYTES_MAX} are allowed`,
    );
  }
  return {
    name,
    isDeflated: entry.compressionMethod === DEFLATED,
    dataStart: dataStartOf(zip, entry, name),
    compressedSize: entry.compressedSize,
    uncompressedSize: entry.uncompressedSize,
    crc32: entry.crc32,
  };
}

/** Characters that cannot be stored become U+FFFD, as in all text (R-SIG-3). */
function checkedName(entry: yauzl.Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  if (fileNameRaw.length > ENTRY_NAME_BYTES_MAX) {
    throw new ZipRefused(
      `the name of an entry has ${fileNameRaw.length} bytes: at most ${ENTRY_NAME_BYTES_MAX} are allowed`,
    );
  }
  const name = storableText(
    yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false),
  );
  if (/^([a-z]:|\/)/i.test(name)) throw entryRefused(name, 'absolute paths are not allowed');
  if (name.split('/').includes('..')) throw entryRefused(name, 'the path leads outside the archive');
  return name;
}

function dataStartOf(zip: Buffer, entry: yauzl.Entry, name: string): number {
  const header = entry.relativeOffsetOfLocalHeader;
  if (header + LOCAL_HEADER_BYTES > zip.length || zip.readUInt32LE(header) !== LOCAL_HEADER) {
    throw entryRefused(
      name,
      'the ZIP is truncated or damaged: the data of the entry is not at the position in the directory',
    );
  }
  const nameStart = header + LOCAL_HEADER_BYTES;
  const nameEnd = nameStart + zip.readUInt16LE(header + 26);
  const isSame =
    zip.readUInt16LE(header + 8) === entry.compressionMethod &&
    zip.subarray(nameStart, nameEnd).equals(entry.fileNameRaw);
  // A reader of streams would believe the data, one of files the directory.
  if (!isSame)
    throw entryRefused(name, 'the name or compression method of the entry differs from the directory');
  const start = nameEnd + zip.readUInt16LE(header + 28);
  if (start + entry.compressedSize > zip.length) {
    throw entryRefused(name, 'the ZIP is truncated or damaged: the data of the entry ends after the archive');
  }
  return start;
}

function checkUnpackedSize(entries: ZipEntry[]): void {
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > UNPACKED_BYTES_MAX) {
    throw new ZipRefused(
      `the uncompressed size of the ZIP is ${bytes} bytes: at most ${UNPACKED_BYTES_MAX} are allowed`,
    );
  }
}

/** Entries that share bytes make a bomb out of a small file. */
function checkOverlaps(found: yauzl.Entry[], entries: ZipEntry[]): void {
  const ranges = entries
    .map(({ name, dataStart, compressedSize }, index) => ({
      name,
      start: found[index]!.relativeOffsetOfLocalHeader,
      end: dataStart + compressedSize,
    }))
    .sort((a, b) => a.start - b.start);
  for (const [index, { start, name }] of ranges.entries()) {
    if (index > 0 && start < ranges[index - 1]!.end) {
      throw entryRefused(
        name,
        `the data of the entry overlaps the data of ${JSON.stringify(ranges[index - 1]!.name)}`,
      );
    }
  }
}
