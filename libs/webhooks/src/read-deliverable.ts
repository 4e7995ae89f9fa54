import type { Kysely } from 'kysely';
import {
  type CursorSeal,
  formFor,
  limitedForms,
  readChangePlaces,
  readChanges,
  readPlacedChanges,
  type StreamTopic,
} from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { matchesFilter } from './change-filter.ts';
import { placed, placedLimited } from './delivery-body.ts';
import type { ReadChange, ReadChanges } from './gather.ts';
import { concernsTicket } from './tickets/ticket-rule.ts';
import type { Webhook } from './webhook.ts';

/** More than the changes of one reading; hidden ones are passed without reading their states. */
const PLACES_AT_ONCE = 1_000;

/** The changes of all assets, for a webhook without limits. */
export const readAll =
  (db: Kysely<Schema>, webhook: Pick<Webhook, 'kind' | 'filter'>): ReadChanges =>
  async (topic, range, bounds) => {
    const events = await readChanges(db, topic, range, bounds);
    return events.map((event) => ({
      sequence: event.changed.change.sequence,
      change: isDelivered(webhook, event) ? placed(topic, range.partition, event) : null,
    }));
  };

/** The changes of assets while they are visible, as the change stream limits them. */
export const readVisible =
  (
    db: Kysely<Schema>,
    webhook: Pick<Webhook, 'kind' | 'filter' | 'departments' | 'locations'>,
    seal: CursorSeal,
  ): ReadChanges =>
  async (topic, range, bounds) => {
    const { partition, after } = range;
    const places = await readChangePlaces(db, topic, { partition, after, through: after + PLACES_AT_ONCE });
    const formAt = (sequence: number) => sentForm(topic, formFor(webhook, places.get(sequence)!));
    const skipped: ReadChange[] = [];
    for (let next = after + 1; places.has(next) && formAt(next) === null; next += 1) {
      skipped.push({ sequence: next, change: null });
    }
    if (skipped.length > 0) return skipped;
    const changes = await readPlacedChanges(db, topic, range, bounds);
    return changes.map((placedEvent) => {
      const { event, places: read } = placedEvent;
      const form = sentForm(topic, formFor(webhook, read));
      const isSent = form !== null && (form === 'hidden' || isDelivered(webhook, event));
      const change = isSent
        ? placedLimited(topic, partition, { event, form, data: limitedForms(placedEvent)[form]!, seal })
        : null;
      return { sequence: event.changed.change.sequence, change };
    });
  };

const isDelivered = ({ kind, filter }: Pick<Webhook, 'kind' | 'filter'>, event: ChangeEvent): boolean =>
  kind === 'cloudevents' ? matchesFilter(filter, event) : concernsTicket(filter, event);

type Form = ReturnType<typeof formFor>;

/** That an asset leaves is a change of the asset only. */
const sentForm = (topic: StreamTopic, form: Form): Form =>
  form === 'hidden' && topic !== 'assets' ? null : form;
