import type { Answer, Asked, Refusal } from './answer.ts';

/** One endpoint of a vendor. */
export interface Route {
  method: 'DELETE' | 'GET' | 'POST';
  /** As Fastify takes it: `/api/devices/:id`. */
  path: string;
  vendor: Vendor;
  /** @throws Refusal */
  answer(asked: Asked): Answer;
  /** Of a list: what a client would ask for after that answer; undefined behind the last page. */
  next?(asked: Asked, answer: Answer): Asked | undefined;
  /** Of a list: what a client asks for to have its first page. */
  first?(asked: Asked): Asked;
}

/** What is made of an answer that holds records; what is left out stays. */
export interface Reshaping {
  records?: unknown[];
  /** A sentence for the list of errors. */
  error?: string;
  isCounted?: boolean;
}

/** What all endpoints of a vendor have in common. */
export interface Vendor {
  /** Headers of every answer. */
  headers(asked: Asked): Record<string, string>;
  refused(refusal: Refusal): Answer;
  /** The records that an answer holds; undefined where it is none of a list. */
  recordsOf(answer: Answer): unknown[] | undefined;
  reshaped(answer: Answer, reshaping: Reshaping): Answer;
  /** What the request was let in by is taken no more. */
  expire(asked: Asked): void;
  /** What such a request is told then. */
  unauthorized(): Refusal;
  /** What one is told that lacks a permission. */
  forbidden(): Refusal;
  /** @param retryAt the value of the header that says when to come again; undefined where it is left out */
  tooMany(retryAt: string | undefined): Refusal;
}
