import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Egress, EgressError, hostOf, openEgress, type StreamedAnswer } from '#libs/egress';
import { failure, usageError } from '../cli-error.ts';
import { undoneOnInterruption } from '../interruption.ts';
import { createProgress, type Phase } from '../progress.ts';
import { configOf } from '../site.ts';
import type { Terminal } from '../terminal.ts';

/** No publisher's file comes near it. */
const BYTES_MAX = 4_000_000_000;
const STILL_MS_MAX = 60_000;
const MB = 1_000_000;
const REDIRECTS_MAX = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads an address into a temporary file of the same name, which is removed after the task. Uses EGRESS_PROXY if
 * set.
 * @throws CliError exit 2 if the address is not HTTP or HTTPS; exit 1 if the server rejects the request, is unreachable
 *   or silent for a minute, or the file is longer than `bytesMax`
 */
export async function withDownload<T>(
  address: string,
  terminal: Pick<Terminal, 'env' | 'stderr'>,
  json: boolean,
  work: (file: string) => Promise<T>,
  bytesMax = BYTES_MAX,
): Promise<T> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError('--url must be an HTTP or HTTPS address such as https://publisher.example/list.csv.gz');
  }
  if (url.username || url.password) throw usageError('--url must not contain a user name or password');
  const folder = await mkdtemp(join(tmpdir(), 'posture-catalogue-'));
  const remove = undoneOnInterruption(() => rm(folder, { recursive: true, force: true }));
  try {
    const file = join(folder, basename(url.pathname) || 'download');
    const { egressProxy: proxy } = configOf(terminal.env);
    await download(url, file, { stderr: terminal.stderr, json, bytesMax, proxy });
    return await work(file);
  } finally {
    await remove();
  }
}

interface DownloadOptions extends Pick<Terminal, 'stderr'> {
  json: boolean;
  bytesMax: number;
  /** EGRESS_PROXY. */
  proxy: string | undefined;
}

async function download(url: URL, file: string, options: DownloadOptions): Promise<void> {
  const { stderr, json, bytesMax, proxy } = options;
  // The operator may name private addresses too; with a proxy, the proxy resolves the name.
  const hosts = new Set<string>();
  const egress = openEgress({ ...(proxy && { proxy }), allow: () => [...hosts], silenceMsMax: STILL_MS_MAX });
  let phase: Phase | undefined;
  try {
    const { status, headers, body, discard } = await follow(egress, url, hosts);
    if (status !== 200) {
      discard();
      throw failure(`${url.host} answered ${status}: nothing was imported`);
    }
    const length = Number(headers['content-length'] ?? 0);
    phase = createProgress(stderr, json).phase('Fetching', Math.ceil(length / MB), 'MB');
    const reach = (bytes: number) => {
      if (length > 0) phase!.reach(Math.ceil(bytes / MB));
    };
    const bounded = boundedBytes(body, bytesMax, url.host, reach);
    await pipeline(bounded, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof EgressError ? failure(`${error.message}: nothing was imported`) : error;
  } finally {
    await egress.close();
    phase?.end();
  }
}

/** The answer that the redirects lead to. */
async function follow(egress: Egress, url: URL, hosts: Set<string>): Promise<StreamedAnswer> {
  let next = url;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    hosts.add(hostOf(next));
    const answer = await egress.stream({ method: 'GET', url: next.href, timeoutMs: STILL_MS_MAX });
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
    answer.discard();
    if (!URL.canParse(location, next.href)) break;
    next = new URL(location, next);
  }
  throw failure(
    `${url.host} redirects more than ${REDIRECTS_MAX} times, or to an invalid address: nothing was imported`,
  );
}

async function* boundedBytes(
  source: AsyncIterable<Buffer>,
  bytesMax: number,
  host: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw failure(`${host} returned more than ${bytesMax} bytes: nothing was imported`);
    onBytes(bytes);
    yield chunk;
  }
}
