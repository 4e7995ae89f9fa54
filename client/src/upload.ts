import { abortable } from './abortable.ts';

/** A ZIP of signals: bytes, a file, or a stream, which is read completely before the upload. */
export type Zip = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions {
  /**
   * Up to 200 visible ASCII characters. Uploads with the same key within 24 hours count once. Default: a new key per
   * upload, so that retries after a lost connection are safe.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Limit of the service (MB or MiB), so that an endless stream does not fill the memory. */
const ZIP_BYTES_MAX = 5 * 1024 * 1024;

/** @throws RangeError if a stream exceeds the limit of the service; the reason of `signal` if it aborts */
export async function formOf(zip: Zip, signal?: AbortSignal): Promise<FormData> {
  const form = new FormData();
  form.append('file', await abortable(blobOf(zip, signal), signal), 'signals.zip');
  return form;
}

/** Not `crypto.randomUUID`, which browsers provide only on secure origins. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function blobOf(zip: Zip, signal: AbortSignal | undefined): Promise<Blob> {
  if (zip instanceof Blob || zip instanceof ArrayBuffer || ArrayBuffer.isView(zip)) return blob([zip]);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of 'getReader' in zip ? chunksOf(zip) : zip) {
    signal?.throwIfAborted();
    bytes += chunk.byteLength;
    if (bytes > ZIP_BYTES_MAX) throw new RangeError(`the ZIP stream exceeds ${ZIP_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return blob(chunks);
}

const blob = (parts: (Uint8Array | ArrayBuffer | Blob)[]): Blob =>
  new Blob(parts as ConstructorParameters<typeof Blob>[0], { type: 'application/zip' });

/** Streams in Safari are not async iterable. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
