import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LogContentError } from './log-content-error.ts';

const MAGIC = 'POSTURE-LOG ';
export const FORMAT_VERSION = 1;
/** The first line of a log file. */
export const FIRST_LINE: Buffer = Buffer.from(`${MAGIC}${FORMAT_VERSION}\n`);
const FIRST_LINE_BYTES_MAX = 32;
const CHECKSUM_BYTES = 32;
/** Of what is unpacked at a time. */
const CHUNK_BYTES = 256 * 1024;

/** A log file as it lies on disk: its first line, a gzip stream, and the SHA-256 of all before. */
export interface Container {
  path: string;
  /** Of the whole file. */
  bytes: number;
  checksum: Buffer;
}

export const newChecksum = (): Hash => createHash('sha256');

/**
 * @throws LogContentError where it is not a log file, or one of another format version
 * @throws Error of the file system
 */
export async function openContainer(path: string): Promise<Container> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(FIRST_LINE_BYTES_MAX),
      0,
      FIRST_LINE_BYTES_MAX,
      0,
    );
    assertFormat(buffer.toString('latin1', 0, bytesRead));
    if (size <= FIRST_LINE.length + CHECKSUM_BYTES) throw new LogContentError(`is cut off at byte ${size}`);
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    await file.read(checksum, 0, CHECKSUM_BYTES, size - CHECKSUM_BYTES);
    return { path, bytes: size, checksum };
  } finally {
    await file.close();
  }
}

function assertFormat(start: string): void {
  const version = new RegExp(`^${MAGIC}(\\d+)\n`).exec(start)?.[1];
  if (version === undefined) {
    throw new LogContentError(
      `is not a file of \`posture export-log\`: it does not begin, at byte 0, with "${MAGIC}" and a version`,
    );
  }
  if (Number(version) !== FORMAT_VERSION) {
    throw new LogContentError(
      `has format version ${version} (byte ${MAGIC.length}), but this version of the service reads ${FORMAT_VERSION}: take the one that wrote it, or a later one`,
    );
  }
}

/**
 * What is packed in it, as far as it can be unpacked.
 * @throws LogContentError without the position where it is not gzip, damaged or cut off; at the end at the latest
 */
export async function* unpack({ path, bytes, checksum }: Container): AsyncGenerator<Buffer> {
  const found = newChecksum().update(FIRST_LINE);
  const packed = createReadStream(path, { start: FIRST_LINE.length, end: bytes - CHECKSUM_BYTES - 1 });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The iteration below is told of every failure.
  pipeline(
    packed,
    (chunks) => hashed(chunks, found),
    gunzip,
    () => undefined,
  );
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    throw new LogContentError(`it cannot be unpacked as gzip (${message})`);
  }
  if (!found.digest().equals(checksum)) {
    throw new LogContentError(
      `the checksum of bytes 0 to ${bytes - CHECKSUM_BYTES - 1} is not the one at its end`,
    );
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, checksum: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    checksum.update(chunk);
    yield chunk;
  }
}
