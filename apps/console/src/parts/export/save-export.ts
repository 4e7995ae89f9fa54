import type { Failure } from '../../api/client.ts';

/** A file handle of the File System Access API. */
interface FileHandle {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type SavePicker = (options: { suggestedName: string }) => Promise<FileHandle>;

/** Sends the request and returns the response stream, or the error. */
export type OpenExport = (signal: AbortSignal) => Promise<{
  data?: ReadableStream<Uint8Array> | null | undefined;
  error?: Failure | undefined;
  response: Response;
}>;

export interface SavedFile {
  /** Null if the user chose the name. */
  name: string | null;
  bytes: number;
}

/** Chunks are combined into Blobs of this size to save memory, because browsers store large Blobs on disk. */
const PIECE_BYTES = 4 * 1024 * 1024;
const BLOB_BYTES_MAX = 1024 ** 3;

export class ExportFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export class TooLargeForBrowser extends Error {}

/**
 * Opens a save dialog if the browser can write streams to files; undefined if it cannot.
 * @throws AbortError if the user cancels the dialog
 */
export function askForFile(suggestedName: string): Promise<FileHandle> | undefined {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SavePicker };
  return showSaveFilePicker?.({ suggestedName });
}

/**
 * Streams an export to `file`, or saves it as a download.
 * @throws ExportFailure, TooLargeForBrowser, AbortError, or TypeError if the connection is lost
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
  // The browser has started to read the URL before that.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
