import { randomUUID } from 'node:crypto';
import type { Answer } from '../http/answer.ts';
import type { Fields } from '../records/collection.ts';

interface Envelope {
  resources?: unknown[];
  errors?: { code: number; message: string }[];
  pagination?: Fields;
}

/** The envelope of every response except the token: both lists are always present. */
export function envelope(status: number, { resources = [], errors = [], pagination = {} }: Envelope): Answer {
  const traceId = randomUUID();
  const meta = {
    query_time: 0.01,
    pagination,
    powered_by: 'simulators',
    trace_id: traceId,
  };
  return { status, headers: { 'X-Cs-Traceid': traceId }, body: { meta, resources, errors } };
}

export const paginationOf = ({ body }: Answer): Fields =>
  (body as { meta: { pagination: Fields } }).meta.pagination;
