import {
  type ChangeCursor,
  type CursorSeal,
  changeAttributes,
  changeJson,
  formatCursor,
  type LimitedForms,
  type StreamTopic,
} from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';

/** A change with its place in the position of a subscriber. */
export interface PlacedChange {
  topic: StreamTopic;
  partition: number;
  sequence: number;
  /** Of its CloudEvent, without its position. */
  attributes: Record<string, string>;
  /** `data` of its CloudEvent. */
  data: string;
}

export const placed = (topic: StreamTopic, partition: number, event: ChangeEvent): PlacedChange => {
  const { sequence } = event.changed.change;
  return {
    topic,
    partition,
    sequence,
    attributes: { ...attributesOf(event), datacontenttype: 'application/json', sequence: `${sequence}` },
    data: changeJson(event.changed),
  };
};

/** A form of a change, for a webhook with limits. */
interface LimitedChange {
  event: ChangeEvent;
  form: keyof LimitedForms;
  data: object;
  seal: CursorSeal;
}

/** Its id is another one, and it has no sequence: these count the changes of all assets. */
export function placedLimited(
  topic: StreamTopic,
  partition: number,
  { event, form, data, seal }: LimitedChange,
): PlacedChange {
  const { id, ...attributes } = attributesOf(event);
  return {
    topic,
    partition,
    sequence: event.changed.change.sequence,
    attributes: {
      ...attributes,
      ...(form === 'hidden' && { type: 'posture.asset.hidden' }),
      id: seal.changeId(id!),
      datacontenttype: 'application/json',
    },
    data: changeJson(data),
  };
}

/** The text of the position after an event of a delivery. @param index of the event */
export type PositionText = (position: ChangeCursor, index: number) => string;

/**
 * A delivery's body: a batch of CloudEvents 1.0 in JSON. Partitions come in the order of their numbers, within one an
 * asset before its findings and those before the score; so the same changes are the same text, however they were
 * gathered. The attributes are those of the records on Kafka, `position` the id of the change stream behind the event.
 * @param from the place before all of them
 */
export function deliveryBody(
  from: ChangeCursor,
  changes: readonly PlacedChange[],
  textOf: PositionText = formatCursor,
): Buffer {
  const position = structuredClone(from);
  const texts = changes
    .toSorted(byPartition)
    .map(({ topic, partition, sequence, attributes, data }, index) => {
      position[topic]![partition] = sequence;
      const all = { ...attributes, position: textOf(position, index) };
      return `${JSON.stringify(all).slice(0, -1)},"data":${data}}`;
    });
  return Buffer.from(`[${texts.join(',')}]`);
}

/** Stable: within a partition they stay as they were read. */
const byPartition = (a: PlacedChange, b: PlacedChange) => a.partition - b.partition;

/** As on Kafka, without the prefix of that binding. */
const attributesOf = (event: ChangeEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(changeAttributes(event)).map(([name, value]) => [name.replace(/^ce_/, ''), value]),
  );
