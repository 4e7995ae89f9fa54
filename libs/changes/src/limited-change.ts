import type { ChangeEvent } from '#libs/contracts';
import { type RowLimits, showsPlace } from '#libs/tables';
import type { ChangePlaces } from './change-places.ts';

/** An asset that a limited subscriber does not see any more. */
export interface HiddenAsset {
  assetId: string;
  /** Epoch ms. */
  at: number;
}

/** A change as limited subscribers receive it: without the numbers that count the changes of all assets. */
export interface LimitedForms {
  /** To those who saw the asset before the change. */
  known: object;
  /** To those who did not; `known` itself if that is the same. */
  entered: object;
  /** To those who do not see the asset after the change; null: nothing. */
  hidden: HiddenAsset | null;
}

export function limitedForms({ kind, changed }: ChangeEvent): LimitedForms {
  const known = withoutNumbers(changed);
  return {
    known,
    entered: kind === 'score' ? { ...known, previousScore: null, previousBreachLikelihood: null } : known,
    hidden: kind === 'asset' ? { assetId: changed.id, at: changed.change.at } : null,
  };
}

/** The form that a subscriber with limits receives; null if it sees the asset neither before the change nor after it. */
export function formFor(rows: RowLimits, { now, before }: ChangePlaces): keyof LimitedForms | null {
  const wasVisible = before !== null && showsPlace(rows, before);
  if (now !== null && showsPlace(rows, now)) return wasVisible ? 'known' : 'entered';
  return wasVisible ? 'hidden' : null;
}

function withoutNumbers<Changed extends ChangeEvent['changed']>(changed: Changed): object {
  const {
    sequence: _,
    position: __,
    ...change
  } = changed.change as typeof changed.change & { position?: object };
  return { ...changed, change };
}
