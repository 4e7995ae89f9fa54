import { t } from '@lingui/core/macro';
import { number } from '../language/format.ts';

const MEGABYTE = 1_048_576;
const SIGNATURE_BYTES = 4;
/** The limits of the service (R-ZIP-8, R-REP-3): larger files are rejected here, before they are sent. */
const BYTES_MAX = { zip: 5 * MEGABYTE, json: MEGABYTE, report: 32 * MEGABYTE } as const;

export type FileKind = keyof typeof BYTES_MAX;

/** Kind and content of a file, or the reason why it is rejected. */
export type SelectedFile = { kind: FileKind; bytes: Blob } | { rejected: string };

/**
 * Checks a file before anything is sent. The content is read once, so that the upload matches the preview even if the
 * file changes on disk.
 */
export async function readSelectedFile(file: File): Promise<SelectedFile> {
  try {
    if (file.size === 0) return { rejected: t`This file is empty.` };
    const kind = await kindOf(file);
    if (kind !== 'zip' && /\.zip$/i.test(file.name))
      return { rejected: t`This file is not a ZIP, although its name ends with .zip.` };
    if (kind !== 'json' && file.size > BYTES_MAX[kind]) return { rejected: tooLarge(kind, file.size) };
    return { kind, bytes: new Blob([await file.arrayBuffer()]) };
  } catch {
    return { rejected: t`This file cannot be read. To upload a folder, create a ZIP.` };
  }
}

/** By content, as in the service, because the name can be wrong. A JSON object with an entity is a signal. */
async function kindOf(file: File): Promise<FileKind> {
  const start = await file.slice(0, SIGNATURE_BYTES).text();
  if (start.startsWith('PK')) return 'zip';
  if (file.size > BYTES_MAX.json || !/^\uFEFF?\s*\{/.test(start)) return 'report';
  return isSignal(await file.text()) ? 'json' : 'report';
}

/** Several JSON values, such as JSON Lines, are a report. An entity marks a signal, also one with a syntax error. */
function isSignal(text: string): boolean {
  try {
    return 'entity' in JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return /"entity"\s*:/.test(text);
  }
}

function tooLarge(kind: 'zip' | 'report', bytes: number): string {
  const [size, most] = [megabytes(bytes), megabytes(BYTES_MAX[kind])];
  return kind === 'zip'
    ? t`This ZIP is too large: ${size}, maximum ${most}. Split it, and keep all signals of an asset in one ZIP.`
    : t`This report is too large: ${size}, maximum ${most}. Convert it with posture convert, and upload the ZIPs.`;
}

/** Rounded up, so that a size above a limit never looks equal to it. */
export function megabytes(bytes: number): string {
  if (bytes < MEGABYTE / 10) {
    const size = number(Math.ceil(bytes / 1024));
    return t`${size} kB`;
  }
  const size = number(Math.ceil((10 * bytes) / MEGABYTE) / 10);
  return t`${size} MB`;
}
