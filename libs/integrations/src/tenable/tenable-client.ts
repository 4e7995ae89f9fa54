import { EgressError } from '#libs/egress';
import { type Json, listOf, textOf } from '../json-values.ts';
import { recordsOf } from '../requests/cursor-pages.ts';
import { type ExportedChunk, type ExportStatus, exportChunks } from '../requests/export-chunks.ts';
import { VendorError } from '../requests/vendor-error.ts';
import {
  CHECK_EFFORT,
  type Effort,
  SINGLE_EFFORT,
  type VendorAnswer,
  type VendorRequest,
  type VendorRequests,
} from '../requests/vendor-requests.ts';

export interface TenableCredentials {
  /** Base URL, without a slash at its end. */
  url: string;
  accessKey: string;
  secretKey: string;
}

/** The two exports: where each is requested, and where its status and chunks are. */
const EXPORTS = {
  assets: { request: '/assets/v2/export', jobs: '/assets/export' },
  vulnerabilities: { request: '/vulns/export', jobs: '/vulns/export' },
} as const;
export type ExportKind = keyof typeof EXPORTS;

/** Assets of a chunk that the platform allows. */
const ASSETS_MIN = 100;
/**
 * Assets whose vulnerabilities are one chunk, the least that the platform allows: a chunk is in memory at a time, and an
 * asset may have hundreds of them, of some 5 KB each.
 */
const VULNERABLE_ASSETS = 50;
/**
 * All but `info`, which are facts about an asset and no weaknesses. The platform compares the severity after a recast: a
 * weakness that a user has recast to `info` needs a request of its own.
 */
const SELECTIONS = {
  weaknesses: { severity: ['low', 'medium', 'high', 'critical'] },
  recastToInfo: { severity: ['info'], severity_modification_type: ['RECASTED'] },
} as const;
const STATES = ['OPEN', 'REOPENED', 'FIXED'];
const CANCEL_MS_MAX = 3_000;

type Sent = Omit<VendorRequest, 'url' | 'headers' | 'method'> & { path: string; json?: Json };

/** Exports of the vulnerability scanner. Errors are VendorErrors, and EgressErrors of kind `aborted`. */
export class TenableClient {
  constructor(
    private readonly requests: VendorRequests,
    private readonly credentials: TenableCredentials,
    /** Assets of one chunk. */
    private readonly pageSize: number,
  ) {}

  /**
   * Assets that were changed, deleted or terminated.
   * @param since epoch seconds; null: all assets, because vulnerabilities of deleted ones are exported too
   */
  assets(since: number | null, signal: AbortSignal): AsyncGenerator<ExportedChunk> {
    return this.export('assets', signal, {
      chunk_size: Math.max(ASSETS_MIN, this.pageSize),
      filters: since === null ? {} : { since },
    });
  }

  /**
   * Vulnerabilities in any state that the platform has updated.
   * @param since epoch seconds
   */
  vulnerabilities(
    selection: keyof typeof SELECTIONS,
    since: number,
    signal: AbortSignal,
  ): AsyncGenerator<ExportedChunk> {
    return this.export('vulnerabilities', signal, {
      num_assets: VULNERABLE_ASSETS,
      include_unlicensed: true,
      filters: { indexed_at: since, state: STATES, ...SELECTIONS[selection] },
    });
  }

  /** The connectivity check: exports that were requested before; needs the same permission as an export. */
  async probe(kind: ExportKind): Promise<void> {
    const path = `${EXPORTS[kind].jobs}/status`;
    const what = `${kind} exports`;
    await this.get({ what, path, isWhole: ({ exports }) => Array.isArray(exports) }, CHECK_EFFORT);
  }

  private export(kind: ExportKind, signal: AbortSignal, json: Json): AsyncGenerator<ExportedChunk> {
    const { request, jobs } = EXPORTS[kind];
    return exportChunks(kind, {
      start: () => this.start(kind, request, json, signal),
      status: async (id) => {
        const path = `${jobs}/${id}/status`;
        const sent = { what: `${kind} export`, path, isWhole: isWholeStatus, signal };
        return statusOf((await this.get(sent)).body);
      },
      download: async (id, chunk, what) => {
        const path = `${jobs}/${id}/chunks/${chunk}`;
        return recordsOf((await this.get({ what, path, form: 'list', signal })).list);
      },
      cancel: (id) => this.cancel(`${kind} export`, `${jobs}/${id}/cancel`),
      pause: (ms) => this.requests.pause(ms, signal),
    });
  }

  /**
   * An export with the same filters that runs already is used, because the platform allows no second one. It may be up
   * to a day old, which the overlap of deltas covers.
   */
  private async start(kind: ExportKind, path: string, json: Json, signal: AbortSignal) {
    const what = `${kind} export`;
    const answer = await this.send('POST', { what, path, json, signal });
    const isRunning = answer.status === 409;
    const id = textOf(isRunning ? answer.body.active_job_id : answer.body.export_uuid, ID_CHARS_MAX);
    if (answer.status >= 300 && !(isRunning && id !== '')) throw this.refusal(what, answer);
    if (!ID.test(id)) throw new VendorError(what, 'answer', 'the response contains no id of the export');
    return { id, startedAt: answer.answeredAt, isJoined: isRunning };
  }

  /** The sync may have been cancelled: neither its signal nor a failure applies. */
  private async cancel(what: string, path: string): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_MS_MAX);
    try {
      await this.send('POST', { what, path, signal }, SINGLE_EFFORT);
    } catch (error) {
      if (!(error instanceof VendorError) && !(error instanceof EgressError)) throw error;
    }
  }

  private async get(sent: Sent, effort?: Effort): Promise<VendorAnswer> {
    const answer = await this.send('GET', sent, effort);
    if (answer.status < 300) return answer;
    throw this.refusal(sent.what, answer);
  }

  private send(method: 'GET' | 'POST', { path, json, ...sent }: Sent, effort?: Effort) {
    const { url, accessKey, secretKey } = this.credentials;
    return this.requests.send(
      {
        ...sent,
        method,
        url: url + path,
        headers: {
          accept: 'application/json',
          'x-apikeys': `accessKey=${accessKey}; secretKey=${secretKey}`,
          ...(json && { 'content-type': 'application/json' }),
        },
        body: json && JSON.stringify(json),
      },
      effort,
    );
  }

  private refusal(what: string, answer: VendorAnswer): VendorError {
    const { status } = answer;
    const refused = (failure: 'credentials' | 'scope' | 'answer' | 'request', meaning: string) =>
      this.requests.refusal(what, failure, meaning, answer);
    if (status === 401) return refused('credentials', 'access key and secret key are not accepted');
    if (status === 403) return refused('scope', 'the user has no permission to export this');
    if (status === 404) return refused('answer', 'the platform has no such export: check the base URL');
    return refused('request', 'the request was rejected');
  }
}

/** It becomes a part of paths. */
const ID = /^[\w-]+$/;
const ID_CHARS_MAX = 100;

/** An unreadable list of chunks would look like a finished export with fewer of them. */
const isWholeStatus = ({ status, chunks_available }: Json): boolean =>
  typeof status === 'string' &&
  (stateOf(status) !== 'finished' ||
    (Array.isArray(chunks_available) && chunks_available.every(Number.isSafeInteger)));

const stateOf = (status: unknown): ExportStatus['state'] =>
  STATES_OF_EXPORT.get(textOf(status).toUpperCase()) ?? 'pending';

function statusOf(status: Json): ExportStatus {
  const numbers = (list: unknown) => listOf(list).filter((chunk) => Number.isSafeInteger(chunk)) as number[];
  const count = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, value as number) : null);
  const state = stateOf(status.status);
  return {
    state,
    reason:
      textOf(status.reason, REASON_CHARS_MAX) ||
      (state === 'failed' ? textOf(status.status, REASON_CHARS_MAX) : ''),
    ready: numbers(status.chunks_available),
    // A chunk that failed may be repeated until the export ends.
    lost: state === 'pending' ? [] : [...numbers(status.chunks_failed), ...numbers(status.chunks_cancelled)],
    empty: count(status.empty_chunks_count) ?? 0,
    total: count(status.total_chunks),
  };
}

const REASON_CHARS_MAX = 200;

const STATES_OF_EXPORT = new Map<string, ExportStatus['state']>([
  ['FINISHED', 'finished'],
  ['ERROR', 'failed'],
  ['CANCELLED', 'failed'],
]);
