import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Chain, chainAfter, formerChainAfter } from '#libs/intake';
import { readGzip } from '#libs/readers';
import { LogContentError } from './log-content-error.ts';

/** The kind of a file; every kind is packed in the same way. */
export interface FileKind {
  /** The beginning of its first line, before a space and the version. */
  magic: string;
  /** Of the format. A later one is refused, and one before `readsFrom`. */
  version: number;
  readsFrom: number;
  /** The command that writes it. */
  madeBy: string;
}

const FIRST_LINE_BYTES_MAX = 32;
const CHECKSUM_BYTES = 32;
/** Size of a decompressed block. */
const CHUNK_BYTES = 256 * 1024;

/** A file as it is on disk: its first line, a gzip stream, and the SHA-256 of all before. */
export interface Container {
  path: string;
  /** Of its format. */
  version: number;
  firstLine: Buffer;
  /** Of the whole file. */
  bytes: number;
  checksum: Buffer;
}

export const newChecksum = (): Hash => createHash('sha256');

export const firstLineOf = ({ magic, version }: Pick<FileKind, 'magic' | 'version'>): Buffer =>
  Buffer.from(`${magic} ${version}\n`);

/** The chain of the heads in a file. */
export const chainOf = ({ version }: Pick<Container, 'version'>): Chain =>
  version === 1 ? formerChainAfter : chainAfter;

/**
 * @throws LogContentError if it is not a file of the kind, or one of another format version
 * @throws Error of the file system
 */
export async function openContainer(path: string, kind: FileKind): Promise<Container> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(FIRST_LINE_BYTES_MAX),
      0,
      FIRST_LINE_BYTES_MAX,
      0,
    );
    const version = versionOf(buffer.toString('latin1', 0, bytesRead), kind);
    const firstLine = firstLineOf({ magic: kind.magic, version });
    if (size <= firstLine.length + CHECKSUM_BYTES) throw new LogContentError(`is cut off at byte ${size}`);
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    await file.read(checksum, 0, CHECKSUM_BYTES, size - CHECKSUM_BYTES);
    return { path, version, firstLine, bytes: size, checksum };
  } finally {
    await file.close();
  }
}

function versionOf(start: string, { magic, version, readsFrom, madeBy }: FileKind): number {
  const found = new RegExp(`^${magic} (\\d+)\n`).exec(start)?.[1];
  if (found === undefined) {
    throw new LogContentError(
      `is not a file of \`${madeBy}\`: it does not begin, at byte 0, with "${magic} " and a version`,
    );
  }
  if (Number(found) >= readsFrom && Number(found) <= version) return Number(found);
  const read = readsFrom === version ? version : `${readsFrom} to ${version}`;
  const remedy =
    Number(found) < readsFrom
      ? `create a new one with \`${madeBy}\``
      : 'use the version that wrote it, or a later one';
  throw new LogContentError(
    `has format version ${found} (byte ${magic.length + 1}), but this version of the service reads ${read}: ${remedy}`,
  );
}

/**
 * Its decompressed content, up to the first error.
 * @throws LogContentError without the position if it is not gzip, damaged or cut off; at the end at the latest
 */
export async function* unpack({ path, firstLine, bytes, checksum }: Container): AsyncGenerator<Buffer> {
  const found = newChecksum().update(firstLine);
  const packed = createReadStream(path, { start: firstLine.length, end: bytes - CHECKSUM_BYTES - 1 });
  try {
    yield* readGzip(hashed(packed, found), { chunkSize: CHUNK_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    throw new LogContentError(`it cannot be unpacked as gzip (${message})`);
  }
  if (!found.digest().equals(checksum)) {
    throw new LogContentError(
      `the checksum of bytes 0 to ${bytes - CHECKSUM_BYTES - 1} does not match the one at its end`,
    );
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, checksum: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    checksum.update(chunk);
    yield chunk;
  }
}
