import type { ChangeEvent } from '#libs/contracts';
import { type RowLimits, showsPlace } from '#libs/tables';
import type { ChangePlaces } from './change-places.ts';
import type { PlacedEvent } from './read-placed-changes.ts';

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
  /** As `known`, to those who do not see the asset at present: nothing of the time since the change. */
  knownThen: object;
  /** As `entered`, to those who do not see the asset at present. */
  enteredThen: object;
  /** To those who do not see the asset after the change; null: nothing. */
  hidden: HiddenAsset | null;
}

export function limitedForms({ event, places }: PlacedEvent): LimitedForms {
  const { kind, changed } = event;
  const known = withoutNumbers(changed, places.since ?? changed.change.at);
  const entered =
    kind === 'score' ? { ...known, previousScore: null, previousBreachLikelihood: null } : known;
  const past = pastOf(event, places);
  const knownThen = past === null ? known : { ...known, ...past };
  return {
    known,
    entered,
    knownThen,
    enteredThen: past === null ? entered : knownThen,
    hidden: kind === 'asset' ? { assetId: changed.id, at: changed.change.at } : null,
  };
}

/** The form that a subscriber with limits receives; null if it sees the asset neither before the change nor after it. */
export function formFor(rows: RowLimits, { now, before, present }: ChangePlaces): keyof LimitedForms | null {
  const wasVisible = before !== null && showsPlace(rows, before);
  if (now === null || !showsPlace(rows, now)) return wasVisible ? 'hidden' : null;
  const isVisible = present !== null && showsPlace(rows, present);
  if (isVisible) return wasVisible ? 'known' : 'entered';
  return wasVisible ? 'knownThen' : 'enteredThen';
}

/**
 * In place of what a change contains of the present; null: nothing. The history does not keep the times of former signals, and
 * the schemas of changes have no null for them, so they are the time of the change.
 */
function pastOf({ kind, changed }: ChangeEvent, { now }: ChangePlaces): object | null {
  const { at } = changed.change;
  if (kind === 'asset') return { lastSeen: at };
  return kind === 'finding' ? { assetName: now?.name, lastSeen: at, expiresAt: at } : null;
}

/** @param at not before the asset was in its place: subscribers ignore what is not after `hidden` */
function withoutNumbers<Changed extends ChangeEvent['changed']>(changed: Changed, at: number): object {
  const {
    sequence: _,
    position: __,
    ...change
  } = changed.change as typeof changed.change & { position?: object };
  return { ...changed, change: { ...change, at } };
}
