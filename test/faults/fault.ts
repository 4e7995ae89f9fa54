import type { Load } from './load.ts';
import type { Site } from './site.ts';

/** A fault of one process; `strike` returns a function that undoes it, as an orchestrator or an operator would. */
export interface Fault {
  name: string;
  /** Why this machine cannot have it, as a sentence; left out if it can. */
  whyNot?: string;
  strike(site: Site, random: () => number): Promise<() => Promise<void>>;
  /** While it lasts, before anything is started again. */
  meanwhile?(site: Site, load: Load): () => boolean;
}

/** One of them, by a number from 0 to 1. */
export const pick = <T>(all: readonly T[], random: () => number): T =>
  all[Math.floor(random() * all.length)]!;
