import type { Site } from './site.ts';

/** One sentence of a decision, with a scenario over HTTP that would fail without it. */
export interface Row {
  decision: `D${number}`;
  /** Quoted or condensed from the decision. */
  says: string;
  holds: (site: Site) => Promise<void>;
}
