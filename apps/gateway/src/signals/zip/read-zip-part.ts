import type { MultipartFile } from '@fastify/multipart';
import { BadRequestException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { storableText } from '#libs/contracts';
import type { HeldBytes } from '../../http/byte-budget.ts';
import { partsOf } from '../../http/form-parts.ts';
import { RetryLaterException } from '../../http/http-errors.ts';
import { ZIP_BYTES_MAX } from './zip-limits.ts';

/** Boundaries, part headers and small fields around the file. */
const FORM_OVERHEAD_BYTES_MAX = 65_536;
const FORM_BYTES_MAX = ZIP_BYTES_MAX + FORM_OVERHEAD_BYTES_MAX;
const PARTS_MAX = 20;
const RETRY_SECONDS = 5;

/**
 * The bytes of the one part named `file`; its declared type and file name are ignored (R-ZIP-1). Form fields
 * without a file name are ignored. The bytes are taken from a budget as they come.
 * @param signal of the access of the caller
 * @throws BadRequestException (400) if there is none, more than one, or no multipart form
 * @throws PayloadTooLargeException (413) above 5 MB
 * @throws RetryLaterException (429) if the budget has no room, the reason of `signal`
 */
export async function readZipPart(
  request: FastifyRequest,
  held: HeldBytes,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.isMultipart()) {
    throw new BadRequestException('send the ZIP as multipart/form-data, in one file part named `file`');
  }
  if (Number(request.headers['content-length'] ?? 0) > FORM_BYTES_MAX) throw tooLarge();
  try {
    return await readParts(request, held, signal);
  } catch (error) {
    if (error instanceof HttpException) throw error;
    throw new BadRequestException(`the multipart form is malformed: ${(error as Error).message}`);
  }
}

async function readParts(
  request: FastifyRequest,
  held: HeldBytes,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let file: Uint8Array<ArrayBuffer> | undefined;
  const options = {
    limits: { fileSize: ZIP_BYTES_MAX, parts: PARTS_MAX },
    // Every part comes as a stream, so that the name `file` is enough to be the file.
    isPartAFile: () => true,
  };
  for await (const part of partsOf(request, options, { bytesMax: FORM_BYTES_MAX, tooLarge, signal })) {
    const stream = part as MultipartFile;
    if (stream.fieldname !== 'file') {
      refuseOtherFile(stream);
      await skip(stream);
    } else if (file) {
      throw new BadRequestException('the form has more than one part named `file`: send one ZIP per request');
    } else {
      file = await read(stream, held);
    }
  }
  if (!file) throw new BadRequestException('the form has no part named `file`: send the ZIP in it');
  return file;
}

function refuseOtherFile({ fieldname, filename }: MultipartFile): void {
  if (filename === undefined) return;
  throw new BadRequestException(
    `the form has a file in the part ${JSON.stringify(storableText(fieldname.slice(0, 100)))}: the part must be named \`file\``,
  );
}

async function skip({ file }: MultipartFile): Promise<void> {
  for await (const _ of file);
}

async function read({ file }: MultipartFile, held: HeldBytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (!held.take(chunk.length)) throw new RetryLaterException(RETRY_SECONDS, 'memory');
    chunks.push(chunk);
  }
  if (file.truncated) throw tooLarge();
  return joined(chunks);
}

/** In a separate buffer, which can be transferred to a worker. */
function joined(chunks: Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

const tooLarge = () =>
  new PayloadTooLargeException(
    'the ZIP exceeds 5 MB: split it, with all signals of an asset in the same ZIP',
  );
