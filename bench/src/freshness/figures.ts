import type { ProcessUse } from '../run/process-use.ts';
import type { Delays } from './delays.ts';

/** The figures of one kind of upload. */
export interface Freshness {
  /** Findings per second that got a 200 while the capacity was measured. Later stages lag behind it. */
  accepted: number;
  /** Findings per second that the service can process. The benchmark sends half of it. */
  capacity: number;
  /** Delays of each round. */
  rounds: Delays[];
}

export interface FreshnessFigures {
  json: Freshness;
  zip: Freshness;
  processes: ProcessUse[];
}
