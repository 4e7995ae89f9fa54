import type { Json } from '../json-values.ts';
import { VendorError } from './vendor-error.ts';

/** Progress of an export, as the platform reports it. */
export interface ExportStatus {
  /** `pending`: more chunks may follow. `finished`: none does. `failed`: none does, and records are missing. */
  state: 'pending' | 'finished' | 'failed';
  /** In the platform's words; empty if it states none. */
  reason: string;
  /** Ids of the chunks that can be downloaded, in any order. */
  ready: readonly number[];
  /** Ids of the chunks that will not come. */
  lost: readonly number[];
  /** Number of chunks without records, which are in neither list. */
  empty: number;
  /** Number of all chunks, empty ones included; null if it is not known. */
  total: number | null;
}

/** A platform that prepares an export on request and provides it in chunks. All methods throw VendorError. */
export interface ExportJobs {
  /** Starts an export, or joins one that is running. */
  start(): Promise<StartedExport>;
  status(id: string): Promise<ExportStatus>;
  /** `what` names the chunk in messages. */
  download(id: string, chunk: number, what: string): Promise<Json[]>;
  /** Ends an export that this pull started and no longer needs. A failure is of no consequence. */
  cancel(id: string): Promise<void>;
  /** @throws EgressError of kind `aborted` */
  pause(ms: number): Promise<void>;
}

interface StartedExport {
  id: string;
  /** Epoch milliseconds by the platform's clock. */
  startedAt: number;
  /** Another client started it, and may still need it. */
  isJoined: boolean;
}

export interface ExportedChunk {
  /** Epoch milliseconds by the platform's clock: the export has all that changed before. */
  startedAt: number;
  records: Json[];
  /** Why its records, or chunks after it, are missing; null: they are not. */
  flaw: { what: string; message: string } | null;
  /** Chunks until here, this one included, and of how many; null if that is not known yet. */
  progress: { done: number; of: number | null };
}

const WAIT_STEP_MS = 1_000;
const WAIT_MS_MAX = 30_000;
/** Without a new chunk. Exports of large sites are queued for minutes. */
const IDLE_MS_MAX = 60 * 60_000;

/**
 * The chunks of an export, in the order in which they get ready: each is yielded once, and a chunk that fails permanently
 * does not end the others. If the caller stops early, an export that it started is cancelled, because platforms limit how
 * many may run.
 *
 * @param what of the records: `vulnerabilities`
 * @throws VendorError if the export cannot be started, or its status cannot be read
 */
export async function* exportChunks(what: string, jobs: ExportJobs): AsyncGenerator<ExportedChunk> {
  const { id, startedAt, isJoined } = await jobs.start();
  const seen = new Set<number>();
  let isOver = false;
  try {
    for (let waits = 1, idleMs = 0; ; waits++) {
      const { state, reason, ready, lost, empty, total } = await jobs.status(id);
      const fresh = [...new Set([...ready, ...lost])].filter((chunk) => !seen.has(chunk));
      for (const chunk of fresh) {
        seen.add(chunk);
        const part = lost.includes(chunk)
          ? lostChunk(`${what} chunk ${chunk}`, reason)
          : await downloaded(jobs, id, chunk, `${what} chunk ${chunk}`);
        yield { ...part, startedAt, progress: { done: seen.size, of: total } };
      }
      if (state !== 'pending') {
        isOver = true;
        const progress = { done: seen.size, of: total };
        const listed = seen.size + empty;
        if (state === 'failed') yield { ...failedExport(what, reason), startedAt, progress };
        else if (total !== null && listed < total) {
          yield { ...shortExport(what, listed, total), startedAt, progress };
        }
        return;
      }
      if (fresh.length > 0) [waits, idleMs] = [1, 0];
      const ms = Math.min(waits * WAIT_STEP_MS, WAIT_MS_MAX);
      idleMs += ms;
      if (idleMs > IDLE_MS_MAX) throw new VendorError(what, 'answer', STUCK);
      await jobs.pause(ms);
    }
  } finally {
    if (!isOver && !isJoined) await jobs.cancel(id);
  }
}

const STUCK = 'the export did not continue for an hour';

const lostChunk = (what: string, reason: string) => ({
  records: [],
  flaw: { what, message: `the platform failed to export it${reason === '' ? '' : `: ${reason}`}` },
});

const failedExport = (what: string, reason: string) => ({
  records: [],
  flaw: { what, message: `the export failed${reason === '' ? '' : `: ${reason}`}` },
});

const shortExport = (what: string, listed: number, total: number) => ({
  records: [],
  flaw: { what, message: `the platform counts ${total} chunks of the export and lists ${listed}` },
});

async function downloaded(
  jobs: ExportJobs,
  id: string,
  chunk: number,
  what: string,
): Promise<Pick<ExportedChunk, 'records' | 'flaw'>> {
  try {
    return { records: await jobs.download(id, chunk, what), flaw: null };
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return { records: [], flaw: { what: error.what, message: error.reason } };
  }
}
