import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import {
  type ChangePlaces,
  formFor,
  type LimitedForms,
  limitedForms,
  type PlacedEvent,
  readPlacedChanges,
  type StreamTopic,
} from '#libs/changes';
import { DATABASE, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { eventText, hiddenText } from './event-text.ts';
import { BOUNDS, SharedReads } from './shared-reads.ts';

const CACHE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** A change with the texts of its forms; null: nothing is sent. */
interface LimitedChange {
  places: ChangePlaces;
  texts: Record<keyof LimitedForms, string | null>;
}

/**
 * The changes as texts of the streams of limited callers: what is hidden is null. One read serves all of them, and
 * each client is limited afterwards.
 */
@Injectable()
export class LimitedChanges {
  private readonly reads = new SharedReads<LimitedChange>(
    (...place) => this.read(...place),
    ({ texts }) => texts.known!.length + texts.knownThen!.length,
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
    return changes.map(({ places, texts }) => {
      const form = formFor(rows, places);
      return form && texts[form];
    });
  }

  private async read(topic: StreamTopic, partition: number, after: number): Promise<LimitedChange[]> {
    const changes = await readPlacedChanges(this.db, topic, { partition, after }, BOUNDS);
    return changes.map((change) => ({ places: change.places, texts: textsOf(change) }));
  }
}

function textsOf(change: PlacedEvent): LimitedChange['texts'] {
  const { hidden, ...forms } = limitedForms(change);
  // Most forms are the same object.
  const texts = new Map(Object.values(forms).map((form) => [form, '']));
  for (const form of texts.keys()) texts.set(form, eventText(change.event.kind, form));
  return {
    known: texts.get(forms.known)!,
    entered: texts.get(forms.entered)!,
    knownThen: texts.get(forms.knownThen)!,
    enteredThen: texts.get(forms.enteredThen)!,
    hidden: hidden && hiddenText(hidden),
  };
}
