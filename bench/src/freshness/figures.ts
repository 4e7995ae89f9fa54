import type { ProcessUse } from '../run/process-use.ts';
import type { Delays } from './delays.ts';

/** One way to upload. */
export interface Freshness {
  /** Findings a second that were answered with 200 while the capacity was looked for: what is behind it lags. */
  accepted: number;
  /** Findings a second that the service can take on this way; half of it is sent. */
  capacity: number;
  /** Of each round. */
  rounds: Delays[];
}

export interface FreshnessFigures {
  json: Freshness;
  zip: Freshness;
  processes: ProcessUse[];
}
