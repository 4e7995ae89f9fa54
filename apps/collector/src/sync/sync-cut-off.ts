import type { EndReason } from './syncs.repository.ts';

/** A pull ends before its end: what was applied stays, and the next sync goes on there. */
export class SyncCutOff extends Error {
  override name = 'SyncCutOff';

  /** @param reason null: its integration was removed */
  constructor(
    readonly reason: EndReason | null,
    message: string,
  ) {
    super(message);
  }
}

const RESUMES = 'the next sync continues from what was applied';

export const stopped = () => new SyncCutOff('interrupted', `the collector was stopped: ${RESUMES}`);
export const removed = () => new SyncCutOff(null, 'the integration was deleted');
export const cancelled = (user: string) => new SyncCutOff('cancelled', `cancelled by ${user}: ${RESUMES}`);

/** What a sync may take at most. */
export interface SyncBudget {
  ms: number;
  pages: number;
}

/** Of each sync: pages of 1,000 records, so five million of them. */
export const SYNC_BUDGET: SyncBudget = { ms: 4 * 60 * 60_000, pages: 5_000 };

export const overTime = ({ ms }: SyncBudget) =>
  new SyncCutOff('overBudget', `a sync takes ${Math.round(ms / 60_000)} minutes at most: ${RESUMES}`);
export const overPages = ({ pages }: SyncBudget) =>
  new SyncCutOff('overBudget', `a sync reads ${pages} pages at most: ${RESUMES}`);
