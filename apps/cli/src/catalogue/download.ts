import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failure, usageError } from '../cli-error.ts';
import { createProgress, type Phase } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** No publisher's file comes near it. */
const BYTES_MAX = 4_000_000_000;
const STILL_MS_MAX = 60_000;
const MB = 1_000_000;

/**
 * Works on what an address answers, in a temporary file that bears its name and is gone when the work ends.
 * @throws CliError exit 2 where the address is none of HTTP or HTTPS; exit 1 where the server refuses, is out of reach or
 * silent for a minute, or the file is longer than `bytesMax`
 */
export async function withDownload<T>(
  address: string,
  terminal: Pick<Terminal, 'stderr'>,
  json: boolean,
  work: (file: string) => Promise<T>,
  bytesMax = BYTES_MAX,
): Promise<T> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError('--url must be an address like https://publisher.example/list.csv.gz');
  }
  if (url.username || url.password) throw usageError('--url must not hold a user name or a password');
  const folder = await mkdtemp(join(tmpdir(), 'posture-catalogue-'));
  try {
    const file = join(folder, basename(url.pathname) || 'download');
    await download(url, file, { ...terminal, json, bytesMax });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface DownloadOptions extends Pick<Terminal, 'stderr'> {
  json: boolean;
  bytesMax: number;
}

async function download(url: URL, file: string, { stderr, json, bytesMax }: DownloadOptions): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), STILL_MS_MAX);
  let phase: Phase | undefined;
  try {
    const response = await fetch(url, { signal: silence.signal });
    if (!response.ok || !response.body) {
      throw failure(`${url.host} answered ${response.status}: nothing was imported`);
    }
    // Of a body that is packed for the way the length is another one.
    const length = response.headers.has('content-encoding')
      ? 0
      : Number(response.headers.get('content-length'));
    phase = createProgress(stderr, json).phase('Fetching', Math.ceil(length / MB), 'MB');
    const reach = (bytes: number) => {
      timer.refresh();
      if (length > 0) phase!.reach(Math.ceil(bytes / MB));
    };
    const bounded = boundedBytes(Readable.fromWeb(response.body), bytesMax, url.host, reach);
    await pipeline(bounded, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    throw asFailure(error as Error, url.host);
  } finally {
    clearTimeout(timer);
    phase?.end();
  }
}

async function* boundedBytes(
  source: Readable,
  bytesMax: number,
  host: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw failure(`${host} answers more than ${bytesMax} bytes: nothing was imported`);
    onBytes(bytes);
    yield chunk;
  }
}

/** What `fetch` throws says little by itself, and the cause is of the network. */
function asFailure(error: Error, host: string): Error {
  if (error.name === 'AbortError') return failure(`${host} was silent for a minute: nothing was imported`);
  if (error.name !== 'TypeError') return error;
  const { code } = (error.cause ?? {}) as { code?: string };
  return failure(`${host} is out of reach, or broke off${code ? ` (${code})` : ''}: nothing was imported`);
}
