import type { EndReason } from './syncs.repository.ts';

/** A pull is interrupted: applied records stay, and the next sync continues there. */
export class SyncInterrupted extends Error {
  override name = 'SyncInterrupted';

  /** @param reason null: its integration was removed */
  constructor(
    readonly reason: EndReason | null,
    message: string,
  ) {
    super(message);
  }
}

const RESUMES = 'applied changes remain, and the next sync continues from there';

export const stopped = () => new SyncInterrupted('interrupted', `the collector was stopped: ${RESUMES}`);
export const removed = () => new SyncInterrupted(null, 'the integration was deleted');
export const changed = () =>
  new SyncInterrupted(
    'interrupted',
    'the integration was changed: applied changes remain, and the next sync begins with the new configuration',
  );
export const cancelled = (user: string) =>
  new SyncInterrupted('cancelled', `cancelled by ${user}: ${RESUMES}`);

/** Time limit of a sync. */
export interface SyncBudget {
  ms: number;
  pages: number;
}

/** Of each sync: a page has up to 1,000 records, or the vulnerabilities of 50 assets, so a million of these. */
export const SYNC_BUDGET: SyncBudget = { ms: 4 * 60 * 60_000, pages: 20_000 };

export const overTime = ({ ms }: SyncBudget) =>
  new SyncInterrupted('overBudget', `the sync exceeded ${Math.round(ms / 60_000)} minutes: ${RESUMES}`);
export const overPages = ({ pages }: SyncBudget) =>
  new SyncInterrupted('overBudget', `the sync exceeded ${pages} pages: ${RESUMES}`);
