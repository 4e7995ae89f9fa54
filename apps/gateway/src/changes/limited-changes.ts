import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangePlaces, readChangePlaces, readChanges, type StreamTopic } from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import { DATABASE, type Schema } from '#libs/database';
import { type RowLimits, showsPlace } from '#libs/tables';
import { eventText, hiddenText } from './event-text.ts';
import { BOUNDS, SharedReads } from './shared-reads.ts';

const CACHE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** A change with its texts for limited clients. */
interface LimitedChange extends ChangePlaces {
  text: string;
  /** For clients that did not see the asset before the change; null if it is `text`. */
  textOfNew: string | null;
  /** For clients that do not see the asset after the change. */
  textOfHidden: string | null;
}

/**
 * The changes as texts of the streams of limited callers: what is hidden is null. One read serves all of them, and
 * each client is limited afterwards.
 */
@Injectable()
export class LimitedChanges {
  private readonly reads = new SharedReads<LimitedChange>(
    (...place) => this.read(...place),
    ({ text }) => text.length,
    CACHE_CHARACTERS_MAX,
  );

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The first changes of a partition after a sequence, in order; empty only if there is none. */
  async after(
    rows: RowLimits,
    topic: StreamTopic,
    partition: number,
    sequence: number,
  ): Promise<(string | null)[]> {
    const changes = await this.reads.after(topic, partition, sequence);
    return changes.map((change) => textFor(rows, change));
  }

  private async read(topic: StreamTopic, partition: number, after: number): Promise<LimitedChange[]> {
    const events = await readChanges(this.db, topic, { partition, after }, BOUNDS);
    const last = events.at(-1);
    if (!last) return [];
    const through = last.changed.change.sequence;
    const places = await readChangePlaces(this.db, topic, { partition, after, through });
    return events.map((event) => ({ ...places.get(event.changed.change.sequence)!, ...textsOf(event) }));
  }
}

/** Null if the client sees the asset neither after the change nor, for a change of the asset, before it. */
function textFor(
  rows: RowLimits,
  { now, before, text, textOfNew, textOfHidden }: LimitedChange,
): string | null {
  const wasVisible = before !== null && showsPlace(rows, before);
  if (now !== null && showsPlace(rows, now)) return wasVisible ? text : (textOfNew ?? text);
  return wasVisible ? textOfHidden : null;
}

function textsOf({ kind, changed }: ChangeEvent): Omit<LimitedChange, keyof ChangePlaces> {
  const limited = withoutNumbers(changed);
  return {
    text: eventText(kind, limited),
    textOfNew:
      kind === 'score'
        ? eventText(kind, { ...limited, previousScore: null, previousBreachLikelihood: null })
        : null,
    textOfHidden: kind === 'asset' ? hiddenText(changed.id, changed.change.at) : null,
  };
}

/** Sequences and positions count the changes of all assets. */
function withoutNumbers<Changed extends ChangeEvent['changed']>(changed: Changed): object {
  const {
    sequence: _,
    position: __,
    ...change
  } = changed.change as typeof changed.change & { position?: object };
  return { ...changed, change };
}
