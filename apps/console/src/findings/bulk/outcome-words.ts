import type { ReactNode } from 'react';

/** Sentences about an act on many findings. */
export interface OutcomeWords {
  /** `2 findings will be accepted.` */
  preview: (count: number) => ReactNode;
  /** `2 findings accepted` */
  done: (count: number) => string;
  /** `2 findings not accepted` */
  notDone: (count: number) => string;
}
