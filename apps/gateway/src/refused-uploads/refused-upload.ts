import type { FastifyRequest } from 'fastify';
import { RetryLaterException, UploadContentException } from '../http/http-errors.ts';

export const REFUSED_KINDS = ['signal', 'zip', 'report', 'import'] as const;
type RefusedKind = (typeof REFUSED_KINDS)[number];

export const REFUSAL_REASONS = [
  'content',
  'request',
  'tooLarge',
  'mediaType',
  'conflict',
  'lag',
  'minuteLimit',
  'dayLimit',
  'memory',
  'busy',
  'other',
] as const;
type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** An upload that was refused as a whole: nothing of it was stored. */
export interface RefusedUpload {
  kind: RefusedKind;
  /** 400 to 499, without 401 and 403: those are security events. */
  status: number;
  reason: RefusalReason;
}

const KINDS: Readonly<Record<string, RefusedKind>> = {
  '/api/v3/signals': 'signal',
  '/api/v3/signals/zip': 'zip',
  '/api/v3/reports': 'report',
  '/api/v2/import-scan': 'import',
  '/api/v2/reimport-scan': 'import',
};

const REASON_OF_STATUS: Readonly<Record<number, RefusalReason>> = {
  400: 'request',
  409: 'conflict',
  413: 'tooLarge',
  415: 'mediaType',
  422: 'conflict',
};

/** Null for another request than an upload, for previews, for requests without access, and for faults of the service. */
export function refusedUploadOf(
  { method, query, routeOptions }: Pick<FastifyRequest, 'method' | 'query' | 'routeOptions'>,
  error: unknown,
  status: number,
): RefusedUpload | null {
  const kind = method === 'POST' ? KINDS[routeOptions.url ?? ''] : undefined;
  if (kind === undefined || (query as { dryRun?: unknown } | undefined)?.dryRun === 'true') return null;
  if (status < 400 || status >= 500 || status === 401 || status === 403) return null;
  return { kind, status, reason: reasonOf(error, status) };
}

function reasonOf(error: unknown, status: number): RefusalReason {
  if (error instanceof UploadContentException) return 'content';
  if (!(error instanceof RetryLaterException)) return REASON_OF_STATUS[status] ?? 'other';
  switch (error.reason) {
    case 'fold_lag':
      return 'lag';
    case 'json_minute':
      return 'minuteLimit';
    case 'json_day':
      return 'dayLimit';
    case 'memory':
      return 'memory';
    default:
      return 'busy';
  }
}
