/** What is to go wrong with an answer. */
export type FaultAct =
  /** 401, and what the request was let in by is taken no more: a token; of the inventory, only this once. */
  | { kind: 'expiredToken' }
  /** 429. The header says when to come again, in the unit named, or is left out. */
  | { kind: 'rateLimited'; retryAfterMs: number; unit: 'milliseconds' | 'seconds' | 'none' }
  /** Any status, 500 where none is given, in the vendor's form of errors. */
  | { kind: 'status'; status?: number }
  /** The answer is right, and comes late: machine time, not that of the simulators. */
  | { kind: 'slow'; delayMs: number }
  /** The connection ends after so many bytes of the body; in its middle where none are given. */
  | { kind: 'cut'; bytes?: number }
  /** Of a list: the answer to the request before is given once more. Following its token leads back here. */
  | { kind: 'repeatedPage' }
  /** Of a list: the answer is the page behind the one that was asked for. */
  | { kind: 'missingPage' }
  /** 200 with a body that is no JSON. */
  | { kind: 'garbage' }
  /** Of a list: 200 with a word of what has failed in `errors`, and half of the records. */
  | { kind: 'errorsIn200' }
  /** Of a list: half of the records, without a word; the total and what leads on are as they were. */
  | { kind: 'partialPage' }
  /** Of a list: the answer does not say how many records there are. */
  | { kind: 'noTotal' }
  /** Of a list: its first page and its second in turn, without a total, and each leads on. */
  | { kind: 'alternatingPages' }
  /** 403: the client lacks the permission. */
  | { kind: 'lostScope' };

export interface Fault {
  /** Only requests of this method; every one where it is left out. */
  method?: string;
  /** Only requests whose path begins so. */
  path: string;
  /** The first matching request that it befalls, from 1 (the next one), which is the default. */
  nth?: number;
  /** How many it befalls from there: 1 is the default, `ever` all. */
  times?: number | 'ever';
  act: FaultAct;
}
