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
}

/** What all endpoints of a vendor have in common. */
export interface Vendor {
  /** Headers of every answer. */
  headers(asked: Asked): Record<string, string>;
  refused(refusal: Refusal): Answer;
  /** What the request was let in by is taken no more. */
  expire(asked: Asked): void;
  /** What such a request is told then. */
  unauthorized(): Refusal;
  /** What one is told that lacks a permission. */
  forbidden(): Refusal;
  /** @param retryAt the value of the header that says when to come again; undefined where it is left out */
  tooMany(retryAt: string | undefined): Refusal;
}
