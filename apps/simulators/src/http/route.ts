import type { FaultAct } from '../faults/fault.ts';
import type { Answer, ReceivedRequest, Refusal } from './answer.ts';

/** One endpoint of a vendor. */
export interface Route {
  method: 'DELETE' | 'GET' | 'POST';
  /** As Fastify takes it: `/api/devices/:id`. */
  path: string;
  vendor: Vendor;
  /** @param act a fault that only this route can show @throws Refusal */
  answer(asked: ReceivedRequest, act?: FaultAct): Answer;
  /** Of a list: the next request of a client; undefined after the last page. */
  next?(asked: ReceivedRequest, answer: Answer): ReceivedRequest | undefined;
  /** Of a list: the request for its first page. */
  first?(asked: ReceivedRequest): ReceivedRequest;
}

/** Changes of a response with records; omitted fields are unchanged. */
export interface Reshaping {
  records?: unknown[];
  /** A sentence for the list of errors. */
  error?: string;
  isCounted?: boolean;
}

/** What all endpoints of a vendor have in common. */
export interface Vendor {
  /** Headers of every answer. */
  headers(asked: ReceivedRequest): Record<string, string>;
  refused(refusal: Refusal): Answer;
  /** The records of a response; undefined if it is not of a list. */
  recordsOf(answer: Answer): unknown[] | undefined;
  reshaped(answer: Answer, reshaping: Reshaping): Answer;
  /** The credential of the request is no longer accepted. */
  expire(asked: ReceivedRequest): void;
  /** Response to such a request. */
  unauthorized(): Refusal;
  /** Response to a request without permission. */
  forbidden(): Refusal;
  /**
   * @param retryAt value of the header that states when to retry; undefined: no header
   * @param waitSeconds the same as a duration, for platforms that state one
   */
  tooMany(retryAt: string | undefined, waitSeconds?: number): Refusal;
}
