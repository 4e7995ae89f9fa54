import { BadRequestException, HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { storableText } from '#libs/contracts';
import { partsOf } from '../http/form-parts.ts';
import { MEGABYTE } from '../http/http-limits.ts';
import { isOfDisk, receiveReport, tooLarge } from '../reports/receive-report.ts';
import { REPORT_BYTES_MAX } from '../reports/report-limits.ts';

const PARTS_MAX = 60;
const FIELD_BYTES_MAX = 4_096;
/** Of the whole form: the report, and what is around it. */
const FORM_BYTES_MAX = REPORT_BYTES_MAX + MEGABYTE;

/** The fields of an import, as text. */
export type ImportFields = Map<string, string>;

/**
 * Reads the form of an import: its fields into memory, and the report in the part `file` to a path.
 * @param signal of the access of the caller
 * @throws BadRequestException (400) if it is no form, or without or with several reports
 * @throws PayloadTooLargeException (413), the reason of `signal`
 */
export async function receiveImport(
  request: FastifyRequest,
  path: string,
  signal: AbortSignal,
): Promise<{ fields: ImportFields; sha256: Buffer }> {
  if (!request.isMultipart()) {
    throw new BadRequestException('send the report as multipart/form-data, in the part `file`');
  }
  if (Number(request.headers['content-length'] ?? 0) > FORM_BYTES_MAX) throw tooLarge();
  try {
    return await readParts(request, path, signal);
  } catch (error) {
    if (error instanceof HttpException || isOfDisk(error)) throw error;
    throw new BadRequestException(`the multipart form is malformed: ${(error as Error).message}`);
  }
}

async function readParts(
  request: FastifyRequest,
  path: string,
  signal: AbortSignal,
): Promise<{ fields: ImportFields; sha256: Buffer }> {
  const fields: ImportFields = new Map();
  let sha256: Buffer | null = null;
  const limits = { fileSize: REPORT_BYTES_MAX + 1, parts: PARTS_MAX, fieldSize: FIELD_BYTES_MAX };
  for await (const part of partsOf(request, { limits }, { bytesMax: FORM_BYTES_MAX, tooLarge, signal })) {
    const name = storableText(part.fieldname.slice(0, 100));
    if (part.type === 'field') {
      if (part.valueTruncated) throw new BadRequestException(`${name} has more than 4,096 bytes`);
      fields.set(name, storableText(String(part.value ?? '')));
    } else if (name !== 'file' || sha256 !== null) {
      throw new BadRequestException('the form must have one file, in the part `file`');
    } else {
      sha256 = await receiveReport(part.file, path);
    }
  }
  if (sha256 === null) {
    throw new BadRequestException('file is missing: imports without a report are not supported');
  }
  return { fields, sha256 };
}
