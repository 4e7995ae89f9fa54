/** A fault of a response. */
export type FaultAct =
  /** 401, and the token is no longer accepted; for the inventory, only once. */
  | { kind: 'expiredToken' }
  /** 429. The header states when to retry, in `unit`; `none`: no header. */
  | { kind: 'rateLimited'; retryAfterMs: number; unit: 'milliseconds' | 'seconds' | 'none' }
  /** Any status, 500 if none is given, in the vendor's form of errors. */
  | { kind: 'status'; status?: number }
  /** The answer is correct but late: in real time, not in the time of the simulators. */
  | { kind: 'slow'; delayMs: number }
  /** The connection ends after `bytes` bytes of the body. Default: in its middle. */
  | { kind: 'cut'; bytes?: number }
  /** Of a list: repeats the answer to the previous request. Its token leads to this page again. */
  | { kind: 'repeatedPage' }
  /** Of a list: the answer is the page after the one that was requested. */
  | { kind: 'missingPage' }
  /** 200 with a body that is no JSON. */
  | { kind: 'garbage' }
  /** Of a list: 200 with the failure in `errors`, and half of the records. */
  | { kind: 'errorsIn200' }
  /** Of a list: half of the records, without an error; the total and the cursor are unchanged. */
  | { kind: 'partialPage' }
  /** Of a list: the answer does not say how many records there are. */
  | { kind: 'noTotal' }
  /** Of a list: its first page and its second in turn, without a total, and each leads on. */
  | { kind: 'alternatingPages' }
  /** 403: the client lacks the permission. */
  | { kind: 'lostScope' }
  /** Of the request of an export: its last chunk fails. */
  | { kind: 'chunkFails' }
  /** Of the request of an export: it ends in an error after its first chunk. */
  | { kind: 'exportFails' }
  /** Of the request of an export: it is finished, and its last chunk is in no list. */
  | { kind: 'shortChunkList' }
  /** Of the request of an export: its status has no list of available chunks. */
  | { kind: 'noChunkList' };

export interface Fault {
  /** Only requests of this method; every one if omitted. */
  method?: string;
  /** Only requests whose path begins so. */
  path: string;
  /** The first matching request that it befalls, from 1 (the next one), which is the default. */
  nth?: number;
  /** How many it befalls from there: 1 is the default, `ever` all. */
  times?: number | 'ever';
  act: FaultAct;
}
