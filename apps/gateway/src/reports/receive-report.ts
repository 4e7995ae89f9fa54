import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { UploadContentException } from '../http/http-errors.ts';
import { MEGABYTE } from '../http/http-limits.ts';
import { REPORT_BYTES_MAX } from './report-limits.ts';

/**
 * Writes a report to a file as it comes, at most 32 MB, with and without compression.
 * @param encoding `gzip` or `identity`
 * @returns the SHA-256 of the uncompressed report
 * @throws PayloadTooLargeException (413), BadRequestException (400) if it is empty, or not gzip, or the client hangs up
 */
export async function receiveReport(
  source: Readable,
  path: string,
  encoding: 'gzip' | 'identity' = 'identity',
): Promise<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { mode: 0o600 });
  // A body that is refused is read on by the answer, so the source must not be destroyed with the others.
  const body = source.iterator({ destroyOnReturn: false });
  try {
    if (encoding === 'gzip') await pipeline(body, bounded, createGunzip(), bounded, hashed, file);
    else await pipeline(body, bounded, hashed, file);
  } catch (error) {
    throw refusalOf(error, source);
  }
  if (bytes === 0) throw new UploadContentException('the report is empty');
  return hash.digest();
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > REPORT_BYTES_MAX) throw tooLarge();
    yield chunk;
  }
}

function refusalOf(error: unknown, source: Readable): unknown {
  if (error instanceof HttpException || isOfDisk(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_')) return new UploadContentException('the body is not gzip, or it is truncated');
  if (source.destroyed || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new BadRequestException('the connection was closed before the end of the body');
  return error;
}

/** A full or failing disk: neither the report nor the connection caused it, though the source is destroyed by then. */
export const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET';

export const tooLarge = () =>
  new PayloadTooLargeException(
    `the report exceeds ${REPORT_BYTES_MAX / MEGABYTE} MB: convert it with posture convert and send the ZIPs`,
  );

/**
 * How the body of a request is encoded.
 * @throws UnsupportedMediaTypeException (415) for a form, and for other encodings than gzip
 * @throws PayloadTooLargeException (413) if its headers announce too much
 */
export function encodingOf({ headers }: Pick<IncomingMessage, 'headers'>): 'gzip' | 'identity' {
  if (/^multipart\//i.test(headers['content-type'] ?? '')) {
    throw new UnsupportedMediaTypeException(
      'send the report as the body of the request (curl --data-binary @report), not as a form',
    );
  }
  if (Number(headers['content-length'] ?? 0) > REPORT_BYTES_MAX) throw tooLarge();
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === 'gzip') return encoding;
  throw new UnsupportedMediaTypeException('Content-Encoding must be gzip, or left out');
}
