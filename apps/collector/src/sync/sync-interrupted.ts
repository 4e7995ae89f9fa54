/** Why a sync was cut off. */
export type EndReason = 'cancelled' | 'overBudget' | 'interrupted';

/** What it has reached (`SyncProgress`). */
interface Reached {
  hasMoved: boolean;
}

/** A pull is interrupted: applied records stay. */
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

/** Whatever the platform: only some continue, others begin again and apply nothing twice. */
export const KEPT = 'applied changes remain, and the next sync applies the rest';

export const stopped = () => new SyncInterrupted('interrupted', `the collector was stopped: ${KEPT}`);
export const removed = () => new SyncInterrupted(null, 'the integration was deleted');
export const changed = () =>
  new SyncInterrupted(
    'interrupted',
    'the integration was changed: applied changes remain, and the next sync begins with the new configuration',
  );
export const cancelled = (user: string) => new SyncInterrupted('cancelled', `cancelled by ${user}: ${KEPT}`);

/** Time limit of a sync. */
export interface SyncBudget {
  ms: number;
  pages: number;
}

/** Of each sync: a page has up to 1,000 records, or the vulnerabilities of 50 assets, so a million of these. */
export const SYNC_BUDGET: SyncBudget = { ms: 4 * 60 * 60_000, pages: 20_000 };

export const overTime = ({ ms }: SyncBudget, progress: Reached) =>
  overBudget(`${Math.round(ms / 60_000)} minutes`, progress);
export const overPages = ({ pages }: SyncBudget, progress: Reached) => overBudget(`${pages} pages`, progress);

/** A sync that begins where this one began exceeds the limit as well: the user must know. */
const overBudget = (limit: string, { hasMoved }: Reached) =>
  new SyncInterrupted(
    'overBudget',
    `the sync exceeded ${limit}: applied changes remain, and the next sync ${hasMoved ? 'continues from there' : 'begins where this one began'}`,
  );
