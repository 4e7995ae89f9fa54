import { randomUUID } from 'node:crypto';
import { type Answer, Refusal } from '../http/answer.ts';
import type { Fields } from '../records/collection.ts';

export const EXPORT_OUTCOMES = [
  'whole',
  'chunkFails',
  'exportFails',
  'shortChunkList',
  'noChunkList',
] as const;
/** `whole`, or the fault with which it was requested. */
export type ExportOutcome = (typeof EXPORT_OUTCOMES)[number];

/** An export with its chunks: numbers of records, as of its start. */
interface ExportJob {
  uuid: string;
  createdMs: number;
  /** Of the request, to find a duplicate. */
  filters: string;
  chunks: number[][];
  /** How often its status was read; each time more chunks are ready. */
  polls: number;
  outcome: ExportOutcome;
  isCancelled: boolean;
}

const ACTIVE_MAX = 10;
const KEPT_MAX = 1_000;
const CHUNKS_EXPIRE_MS = 24 * 60 * 60_000;
/** An export whose client has left is finished then. */
const DURATION_MS_MAX = 10 * 60_000;
/** Chunks that get ready between two status requests. */
const CHUNKS_A_POLL = 2;
const BUSY_SECONDS = 30;

/** Asynchronous exports of one kind of records. */
export class ExportJobs {
  private readonly jobs = new Map<string, ExportJob>();

  constructor(private readonly nowMs: () => number) {}

  /**
   * Starts one; a running export with the same filters is a conflict that names it.
   * @throws Refusal 429 if too many are running
   */
  start(filters: unknown, chunks: () => number[][], outcome: ExportOutcome = 'whole'): Answer {
    const text = JSON.stringify(filters);
    const active = [...this.jobs.values()].filter((job) => !this.isOver(job));
    const same = active.find((job) => job.filters === text);
    if (same) return { status: 409, body: { active_job_id: same.uuid, failure_reason: DUPLICATE } };
    if (active.length >= ACTIVE_MAX) {
      throw new Refusal(429, 'Too Many Requests', { 'retry-after': String(BUSY_SECONDS) });
    }
    const uuid = randomUUID();
    const createdMs = this.nowMs();
    const isCancelled = false;
    this.jobs.set(uuid, { uuid, createdMs, filters: text, chunks: chunks(), polls: 0, outcome, isCancelled });
    const [oldest] = this.jobs.keys();
    if (this.jobs.size > KEPT_MAX) this.jobs.delete(oldest!);
    return { status: 200, body: { export_uuid: uuid } };
  }

  /** @throws Refusal 404 */
  status(uuid: string): Answer {
    const job = this.find(uuid);
    job.polls += 1;
    return { status: 200, body: { ...this.summary(job), ...this.chunkLists(job) } };
  }

  /** All exports, the newest first. */
  list(): Answer {
    const jobs = [...this.jobs.values()].reverse();
    return { status: 200, body: { exports: jobs.map((job) => this.summary(job)) } };
  }

  /** @throws Refusal 404 */
  cancel(uuid: string): Answer {
    const job = this.find(uuid);
    if (!this.isOver(job)) job.isCancelled = true;
    return { status: 200, body: { status: 'CANCELLED' } };
  }

  /** The records of a chunk. @throws Refusal 404 if there is none or it has expired, 400 if it is not ready */
  chunk(uuid: string, id: string, recordAt: (number: number) => Fields | undefined): Answer {
    const job = this.find(uuid);
    const numbers = job.chunks[Number(id) - 1];
    if (!numbers || this.nowMs() > job.createdMs + CHUNKS_EXPIRE_MS) throw new Refusal(404, 'No such chunk.');
    if (!this.available(job).includes(Number(id))) throw new Refusal(400, 'The chunk is not ready.');
    return { status: 200, body: numbers.flatMap((number) => recordAt(number) ?? []) };
  }

  private summary(job: ExportJob): Fields {
    const available = this.available(job).length;
    return {
      uuid: job.uuid,
      status: this.stateOf(job),
      total_chunks: job.chunks.length,
      chunks_available_count: available,
      empty_chunks_count: 0,
      finished_chunks: available,
      filters: JSON.parse(job.filters),
      created: job.createdMs,
    };
  }

  private chunkLists(job: ExportJob): Fields {
    const failed = job.outcome === 'chunkFails' && this.isOver(job) ? [job.chunks.length] : [];
    return {
      ...(job.outcome !== 'noChunkList' && { chunks_available: this.available(job) }),
      chunks_failed: failed,
      chunks_cancelled: [],
      ...(job.outcome === 'exportFails' && this.isOver(job) && { reason: TIMED_OUT }),
      ...(failed.length > 0 && { reason: `1 of ${job.chunks.length} chunks failed to process.` }),
    };
  }

  private stateOf(job: ExportJob): string {
    if (job.isCancelled) return 'CANCELLED';
    if (this.isOver(job)) return job.outcome === 'exportFails' ? 'ERROR' : 'FINISHED';
    return job.polls <= 1 ? 'QUEUED' : 'PROCESSING';
  }

  /** Ids from 1; the second of each pair gets ready first, as chunks are processed in parallel. */
  private available({ chunks, outcome, polls, createdMs }: ExportJob): number[] {
    const isLate = this.nowMs() > createdMs + DURATION_MS_MAX;
    const count = isLate ? chunks.length : Math.max(0, polls - 1) * CHUNKS_A_POLL;
    const ids = chunks.map((_, i) => i + 1).slice(0, count);
    if (outcome === 'exportFails') return ids.slice(0, 1);
    const isLastMissing = outcome === 'chunkFails' || outcome === 'shortChunkList';
    return ids.filter((id) => !(isLastMissing && id === chunks.length)).reverse();
  }

  private isOver(job: ExportJob): boolean {
    const { chunks, polls, createdMs, isCancelled } = job;
    const isLate = this.nowMs() > createdMs + DURATION_MS_MAX;
    return isCancelled || isLate || (polls > 1 && (polls - 1) * CHUNKS_A_POLL >= chunks.length);
  }

  private find(uuid: string): ExportJob {
    const job = this.jobs.get(uuid);
    if (!job) throw new Refusal(404, 'Export not found.');
    return job;
  }
}

const DUPLICATE = 'The request could not be completed due to a conflict with the ongoing export';
const TIMED_OUT = 'The export request timed out. Try again.';
