const MEGABYTE = 1_048_576;
const SIGNATURE_BYTES = 4;
/** The limits of the service (R-ZIP-8): larger files are rejected here, before they are sent. */
const BYTES_MAX = { zip: 5 * MEGABYTE, json: MEGABYTE } as const;

export type FileKind = keyof typeof BYTES_MAX;

/** Kind and content of a file, or the reason why it is rejected. */
export type SelectedFile = { kind: FileKind; bytes: Blob } | { rejected: string };

/**
 * Checks a file before anything is sent. The content is read once, so that the upload matches the preview even if the
 * file changes on disk.
 */
export async function readSelectedFile(file: File): Promise<SelectedFile> {
  try {
    const kind = await kindOf(file);
    if (kind === null) return { rejected: whyUnknown(file) };
    if (file.size > BYTES_MAX[kind]) return { rejected: tooLarge(kind, file.size) };
    return { kind, bytes: new Blob([await file.arrayBuffer()]) };
  } catch {
    return { rejected: 'This file cannot be read. To upload a folder, create a ZIP.' };
  }
}

/** Determined by the file signature, as in the service, because the name can be wrong. */
async function kindOf(file: File): Promise<FileKind | null> {
  const start = await file.slice(0, SIGNATURE_BYTES).text();
  if (start.startsWith('PK')) return 'zip';
  return /\.json$/i.test(file.name) || /^\uFEFF?\s*\{/.test(start) ? 'json' : null;
}

function whyUnknown({ name, size }: File): string {
  if (size === 0) return 'This file is empty.';
  return /\.zip$/i.test(name)
    ? 'This file is not a ZIP, although its name ends with .zip.'
    : 'This file is neither a ZIP nor a JSON file.';
}

const tooLarge = (kind: FileKind, size: number): string =>
  kind === 'zip'
    ? `This ZIP is too large: ${megabytes(size)}, maximum 5 MB. Split it, and keep all signals of an asset in one ZIP.`
    : `This signal is too large: ${megabytes(size)}, maximum 1 MB. Shorten the evidence.`;

/** Rounded up, so that a size above a limit never looks equal to it. */
export const megabytes = (bytes: number): string =>
  bytes < MEGABYTE / 10
    ? `${Math.ceil(bytes / 1024).toLocaleString()} kB`
    : `${(Math.ceil((10 * bytes) / MEGABYTE) / 10).toLocaleString()} MB`;
