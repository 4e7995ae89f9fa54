import type { IncomingMessage } from 'node:http';
import { BadRequestException, PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { HeldBytes } from './byte-budget.ts';
import { RetryLaterException } from './http-errors.ts';
import { MEGABYTE } from './http-limits.ts';

const RETRY_SECONDS = 2;
/** Other values of the header are mistakes of senders of plain bodies, such as `utf-8`. */
const COMPRESSED = /^\s*(x-)?(gzip|deflate|compress|br|zstd)\b/i;

/** @throws UnsupportedMediaTypeException (415) */
function refuseCompressed({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const encoding = headers['content-encoding'] ?? '';
  if (!COMPRESSED.test(encoding)) return;
  throw new UnsupportedMediaTypeException('Content-Encoding must be left out: send the body uncompressed');
}

/** @throws PayloadTooLargeException (413) if the headers already say more than `bytesMax` */
function refuseTooLarge({ headers }: Pick<IncomingMessage, 'headers'>, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

const tooLarge = (bytesMax: number): PayloadTooLargeException =>
  new PayloadTooLargeException(`the body exceeds ${sizeOf(bytesMax)}`);

const sizeOf = (bytes: number): string =>
  bytes < MEGABYTE ? `${bytes / 1_024} KB` : `${bytes / MEGABYTE} MB`;

/**
 * The whole body as bytes, taken from a budget as they come.
 * @throws UnsupportedMediaTypeException (415) if the headers say that it is compressed
 * @throws PayloadTooLargeException (413) at the first byte above `bytesMax`; the rest is left unread
 * @throws RetryLaterException (429) at the first that the budget has no room for
 * @throws BadRequestException if the client hangs up before its end, or has already
 */
export function readBody(request: IncomingMessage, bytesMax: number, held: HeldBytes): Promise<Buffer> {
  refuseCompressed(request);
  refuseTooLarge(request, bytesMax);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () =>
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      const isTooLarge = bytes > bytesMax;
      if (!isTooLarge && held.take(chunk.length)) return void chunks.push(chunk);
      request.pause();
      stop();
      reject(isTooLarge ? tooLarge(bytesMax) : new RetryLaterException(RETRY_SECONDS, 'memory'));
    };
    const onEnd = () => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    const onClose = () => {
      stop();
      reject(new BadRequestException('the connection was closed before the end of the body'));
    };
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
