import type { Answer, Asked } from '../http/answer.ts';
import { paginationOf } from './envelope.ts';
import { asking } from './parameters.ts';

/** What a client that counts offsets up asks for behind a page; undefined behind the last. */
export function nextOffset(asked: Asked, answer: Answer): Asked | undefined {
  const { offset, limit, total } = paginationOf(answer) as Record<'offset' | 'limit' | 'total', number>;
  const next = offset + limit;
  return next < total ? asking(asked, { offset: String(next) }) : undefined;
}
