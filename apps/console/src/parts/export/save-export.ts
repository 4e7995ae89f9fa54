import type { Failure } from '../../api/client.ts';

/** A file handle, where the browser has them (File System Access). */
interface FileHandle {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type SavePicker = (options: { suggestedName: string }) => Promise<FileHandle>;

/** Opens the answer of a route: its bytes as they come, or why not. */
export type OpenExport = (signal: AbortSignal) => Promise<{
  data?: ReadableStream<Uint8Array> | null | undefined;
  error?: Failure | undefined;
  response: Response;
}>;

export interface SavedFile {
  /** Null where the reader has named it. */
  name: string | null;
  bytes: number;
}

/** What a Blob is gathered of, so that few small pieces lie in memory: browsers keep large Blobs on the disk. */
const PIECE_BYTES = 4 * 1024 * 1024;
const BLOB_BYTES_MAX = 1024 ** 3;

export class ExportFailure extends Error {
  constructor(readonly failure: Failure) {
    super('the export was refused');
  }
}

export class TooLargeForBrowser extends Error {}

/**
 * Asks where a file is to be saved, where the browser can write to it as it comes. Undefined: it cannot.
 * @throws AbortError where the reader thinks better of it
 */
export function askForFile(suggestedName: string): Promise<FileHandle> | undefined {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SavePicker };
  return showSaveFilePicker?.({ suggestedName });
}

/**
 * Saves an export as it comes: to a file that was asked for, else as a download.
 * @throws ExportFailure, TooLargeForBrowser, AbortError, TypeError where the connection was cut
 */
export async function saveExport(
  open: OpenExport,
  file: FileHandle | undefined,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<SavedFile> {
  const { data, error, response } = await open(signal);
  if (error) throw new ExportFailure(error);
  const counter = countBytes(onBytes);
  const counted = data!.pipeThrough(counter.stream, { signal });
  if (file) {
    await counted.pipeTo(await file.createWritable(), { signal });
    return { name: null, bytes: counter.bytes() };
  }
  const name = nameOf(response);
  download(await blobOf(counted), name);
  return { name, bytes: counter.bytes() };
}

function countBytes(onBytes: (bytes: number) => void) {
  let bytes = 0;
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  return { stream, bytes: () => bytes };
}

async function blobOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const pieces: Blob[] = [];
  let chunks: BlobPart[] = [];
  let pending = 0;
  let total = 0;
  await stream.pipeTo(
    new WritableStream<Uint8Array>({
      write(chunk) {
        chunks.push(chunk as BlobPart);
        pending += chunk.byteLength;
        total += chunk.byteLength;
        if (total > BLOB_BYTES_MAX) throw new TooLargeForBrowser();
        if (pending < PIECE_BYTES) return;
        pieces.push(new Blob(chunks));
        chunks = [];
        pending = 0;
      },
    }),
  );
  return new Blob([...pieces, ...chunks]);
}

/** `attachment; filename="findings-….csv"` */
const nameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'export';

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
