import {
  type ChangeCursor,
  changeAttributes,
  changeJson,
  formatCursor,
  type StreamTopic,
} from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';

/** A change with its place in the position of a subscriber. */
export interface PlacedChange {
  topic: StreamTopic;
  partition: number;
  sequence: number;
  event: ChangeEvent;
  /** `data` of its CloudEvent. */
  data: string;
}

export const placed = (topic: StreamTopic, partition: number, event: ChangeEvent): PlacedChange => ({
  topic,
  partition,
  sequence: event.changed.change.sequence,
  event,
  data: changeJson(event.changed),
});

/**
 * A delivery's body: a batch of CloudEvents 1.0 in JSON. Partitions come in the order of their numbers, within one an
 * asset before its findings and those before the score; so the same changes are the same text, however they were
 * gathered. The attributes are those of the records on Kafka, `position` the id of the change stream behind the event.
 * @param from the place before all of them
 */
export function deliveryBody(from: ChangeCursor, changes: readonly PlacedChange[]): Buffer {
  const position = structuredClone(from);
  const texts = changes.toSorted(byPartition).map(({ topic, partition, sequence, event, data }) => {
    position[topic]![partition] = sequence;
    const attributes = {
      ...attributesOf(event),
      datacontenttype: 'application/json',
      sequence: `${sequence}`,
      position: formatCursor(position),
    };
    return `${JSON.stringify(attributes).slice(0, -1)},"data":${data}}`;
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
