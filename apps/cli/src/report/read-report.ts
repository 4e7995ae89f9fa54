import { type FileHandle, open } from 'node:fs/promises';
import { isoTime, readInstant } from '#libs/domain';
import type { ReportHead, ReportPartition } from './report-content.ts';
import type { ReportFormat } from './report-format.ts';
import { REPORT_FORMATS, type ReportFormatName, reportWriter } from './report-formats.ts';

/** Above every beginning of a report, which names up to 1,024 partitions. */
const HEAD_BYTES_MAX = 512 * 1024;
const PARTITIONS_MAX = 1_024;
const LOG_ID_CHARACTERS_MAX = 200;
const HASH = /^[0-9a-f]{64}$/;
const ANY_HASH = '0'.repeat(64);

/** How a report of each format begins. */
const BEGINNINGS: Record<ReportFormatName, string> = {
  html: '<!doctype html>\n<!-- posture-report ',
  csv: 'kind,name,value,',
  json: '{\n"report": "posture",\n',
};

/**
 * A file is not a report of `posture report`, or not a complete one. The message is the end of a sentence that begins
 * with its subject, and names the position.
 */
export class ReportContentError extends Error {
  override name = 'ReportContentError';
}

/** The head of a report, not verified yet. */
export interface ReadReport {
  format: ReportFormatName;
  /** Of the number that the report has. */
  writer: ReportFormat;
  head: ReportHead;
  /** The instant, in epoch milliseconds. */
  at: number;
}

/**
 * Reads beginning and end of a report.
 * @throws ReportContentError if it is none, one of another format number, cut off, or changed there
 * @throws Error of the file system if it cannot be read
 */
export async function readReport(path: string): Promise<ReadReport> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const text = (await readAt(file, 0, Math.min(size, HEAD_BYTES_MAX))).toString('utf8');
    const format = formatOf(text);
    const given = headOf(text, format);
    const writer = writerOf(format, given);
    const head = checkedHead(given);
    const sealAt = Math.max(0, size - writer.seal(ANY_HASH).length);
    assertSealed((await readAt(file, sealAt, size - sealAt)).toString('latin1'), writer, size);
    return { format, writer, head, at: readInstant(head.asOf)! };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function formatOf(text: string): ReportFormatName {
  const format = (Object.keys(BEGINNINGS) as ReportFormatName[]).find((name) =>
    text.startsWith(BEGINNINGS[name]),
  );
  if (format) return format;
  throw new ReportContentError(
    'is not a report of `posture report`: its first bytes are not those of a report',
  );
}

function headOf(text: string, format: ReportFormatName): unknown {
  try {
    return REPORT_FORMATS[format].headOf(text);
  } catch {
    throw new ReportContentError(
      `is damaged in its beginning, bytes 0 to ${text.length - 1}: the header that identifies its history is incomplete`,
    );
  }
}

function writerOf(name: ReportFormatName, head: unknown): ReportFormat {
  if (typeof head !== 'object' || head === null) throw damagedHead('beginning');
  const { format } = head as { format?: unknown };
  if (!Number.isSafeInteger(format)) throw damagedHead('format number');
  const writer = reportWriter(name, format);
  if (writer) return writer;
  throw new ReportContentError(
    `has report format ${format} in its beginning, but this version of the service reads ${name} up to ${REPORT_FORMATS[name].number}: use the version that wrote it, or a later one`,
  );
}

function checkedHead(given: unknown): ReportHead {
  const { logId, asOf, fingerprint, partitions } = given as ReportHead;
  if (typeof logId !== 'string' || logId === '' || logId.length > LOG_ID_CHARACTERS_MAX)
    throw damagedHead('log id');
  if (!isCanonicalInstant(asOf)) throw damagedHead('instant');
  if (typeof fingerprint !== 'string' || !HASH.test(fingerprint)) throw damagedHead('fingerprint');
  if (!Array.isArray(partitions) || partitions.length < 1 || partitions.length > PARTITIONS_MAX) {
    throw damagedHead('list of partitions');
  }
  const wrong = partitions.findIndex((part, i) => !isPartition(part, i));
  if (wrong >= 0) throw damagedHead(`partition ${wrong}`);
  return { logId, asOf, fingerprint, partitions };
}

const damagedHead = (what: string) =>
  new ReportContentError(`is damaged in its beginning, from byte 0 on: its ${what} is invalid`);

function isCanonicalInstant(text: unknown): boolean {
  const at = readInstant(text);
  return at !== null && isoTime(at) === text;
}

const isPartition = (part: Partial<ReportPartition> | null, i: number): boolean =>
  part?.partition === i &&
  Number.isSafeInteger(part.records) &&
  part.records! >= 0 &&
  typeof part.head === 'string' &&
  HASH.test(part.head);

/** Whether it is the right checksum is for the comparison to say. */
function assertSealed(seal: string, writer: ReportFormat, size: number): void {
  const sha256 = /[0-9a-f]{64}/.exec(seal)?.[0];
  if (sha256 !== undefined && writer.seal(sha256) === seal) return;
  throw new ReportContentError(`is cut off or changed at its end, byte ${size}: its checksum is missing`);
}
