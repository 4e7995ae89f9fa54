/** A ZIP of signals: its bytes, a file, or a stream of either kind that is read to its end first. */
export type Zip = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions {
  /**
   * Up to 200 visible ASCII characters; an upload counts once however often it is sent under one within 24 hours. Made
   * for each upload where it is left out, so that repeats after a cut connection are harmless.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The service takes 5 MB, by either reading of MB: a stream that does not end is not gathered for ever. */
const ZIP_BYTES_MAX = 5 * 1024 * 1024;

/** @throws RangeError where a stream is longer than the service takes */
export async function formOf(zip: Zip): Promise<FormData> {
  const form = new FormData();
  form.append('file', await blobOf(zip), 'signals.zip');
  return form;
}

/** Not `crypto.randomUUID`, which browsers have on secure origins only. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function blobOf(zip: Zip): Promise<Blob> {
  if (zip instanceof Blob || zip instanceof ArrayBuffer || ArrayBuffer.isView(zip)) return blob([zip]);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of 'getReader' in zip ? chunksOf(zip) : zip) {
    bytes += chunk.byteLength;
    if (bytes > ZIP_BYTES_MAX)
      throw new RangeError(`a ZIP may have ${ZIP_BYTES_MAX} bytes; this stream has more`);
    chunks.push(chunk);
  }
  return blob(chunks);
}

const blob = (parts: (Uint8Array | ArrayBuffer | Blob)[]): Blob =>
  new Blob(parts as ConstructorParameters<typeof Blob>[0], { type: 'application/zip' });

/** Safari's streams are not iterable by themselves. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
