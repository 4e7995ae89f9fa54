import type { Answer, ReceivedRequest } from '../http/answer.ts';
import { paginationOf } from './envelope.ts';
import { withParameters } from './parameters.ts';

/** The next offset of a client that counts offsets; undefined after the last page. */
export function nextOffset(asked: ReceivedRequest, answer: Answer): ReceivedRequest | undefined {
  const { offset, limit, total } = paginationOf(answer) as Record<'offset' | 'limit' | 'total', number>;
  const next = offset + limit;
  return next < total ? withParameters(asked, { offset: String(next) }) : undefined;
}
