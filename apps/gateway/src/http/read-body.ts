import type { IncomingMessage } from 'node:http';
import { BadRequestException, PayloadTooLargeException } from '@nestjs/common';

/** 1 MB = 1,048,576 bytes (D18). */
export const MEGABYTE = 1_048_576;
/** Greatest body of any route but the ZIP upload (D18). */
export const BODY_BYTES_MAX = MEGABYTE;

/** How many bytes a request may bring, before it brings them; at most `bytesMax`. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>, bytesMax: number): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) return headers['transfer-encoding'] === undefined ? 0 : bytesMax;
  return Math.min(length, bytesMax);
}

/** @throws PayloadTooLargeException (413) where the headers already say more than `bytesMax` */
export function refuseTooLarge({ headers }: Pick<IncomingMessage, 'headers'>, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

export const tooLarge = (bytesMax: number): PayloadTooLargeException =>
  new PayloadTooLargeException(`the body is larger than ${bytesMax / MEGABYTE} MB`);

/**
 * The whole body as bytes.
 * @throws PayloadTooLargeException (413) at the first byte above `bytesMax`; the rest is left unread
 * @throws BadRequestException where the client hangs up before its end
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  refuseTooLarge(request, bytesMax);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () =>
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) return void chunks.push(chunk);
      request.pause();
      stop();
      reject(tooLarge(bytesMax));
    };
    const onEnd = () => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    const onClose = () => {
      stop();
      reject(new BadRequestException('the connection closed before the end of the body'));
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
