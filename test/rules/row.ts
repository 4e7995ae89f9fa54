import type { Site } from './site.ts';

/** One statement of a rule of docs/specification.md, with a scenario over HTTP that would fail without it. */
export interface Row {
  rule: `R-${string}-${number}`;
  says: string;
  holds: (site: Site) => Promise<void>;
}
