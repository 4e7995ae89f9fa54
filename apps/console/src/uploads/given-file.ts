const MEGABYTE = 1_048_576;
const SIGNATURE_BYTES = 4;
/** As the service has them (spec §Limits): more is refused here, before it is sent. */
const BYTES_MAX = { zip: 5 * MEGABYTE, json: MEGABYTE } as const;

export type FileKind = keyof typeof BYTES_MAX;

/** What a file is to the uploads, or why it is not taken. */
export type GivenFile = { kind: FileKind; bytes: Blob } | { notTaken: string };

/**
 * Looks at a file before anything is sent. Its bytes are read once, so that what is uploaded is what was previewed,
 * whatever becomes of the file meanwhile.
 */
export async function readGivenFile(file: File): Promise<GivenFile> {
  try {
    const kind = await kindOf(file);
    if (kind === null) return { notTaken: whyUnknown(file) };
    if (file.size > BYTES_MAX[kind]) return { notTaken: tooLarge(kind, file.size) };
    return { kind, bytes: new Blob([await file.arrayBuffer()]) };
  } catch {
    return { notTaken: 'This cannot be read. A folder is not taken: make a ZIP of it.' };
  }
}

/** By the signature, as the service does; a name can be wrong. */
async function kindOf(file: File): Promise<FileKind | null> {
  const start = await file.slice(0, SIGNATURE_BYTES).text();
  if (start.startsWith('PK')) return 'zip';
  return /\.json$/i.test(file.name) || /^\uFEFF?\s*\{/.test(start) ? 'json' : null;
}

function whyUnknown({ name, size }: File): string {
  if (size === 0) return 'This file is empty.';
  return /\.zip$/i.test(name)
    ? 'This is not a ZIP, although its name says so: it does not begin like one.'
    : 'This is neither a ZIP of signals nor a signal in JSON.';
}

const tooLarge = (kind: FileKind, size: number): string =>
  kind === 'zip'
    ? `This ZIP has ${megabytes(size)}; 5 MB is the most that is taken. Split it, and keep everything about one asset in the same ZIP.`
    : `This signal has ${megabytes(size)}; 1 MB is the most that is taken. Leave out long evidence.`;

/** Rounded up, so that what is above a limit reads so. */
export const megabytes = (bytes: number): string =>
  bytes < MEGABYTE / 10
    ? `${Math.ceil(bytes / 1024).toLocaleString()} kB`
    : `${(Math.ceil((10 * bytes) / MEGABYTE) / 10).toLocaleString()} MB`;
