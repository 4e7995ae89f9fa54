import {
  type ChangeBounds,
  type ChangeCursor,
  HistoryGapError,
  type HistoryRange,
  STREAM_TOPICS,
  type StreamTopic,
} from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import { type ChangeFilter, matchesFilter } from './change-filter.ts';
import { type PlacedChange, placed } from './delivery-body.ts';

/** Limits of one delivery; a single larger change has its own. */
export interface DeliveryBounds extends ChangeBounds {
  /** Maximum number of changes to read, including changes that the filter skips. */
  readMax: number;
}

export const DELIVERY_BOUNDS: DeliveryBounds = { changesMax: 100, bytesMax: 256 * 1024, readMax: 2_000 };
/** Of a delivery whose ends are known. */
export const WITHOUT_BOUNDS: DeliveryBounds = {
  changesMax: Number.POSITIVE_INFINITY,
  bytesMax: Number.POSITIVE_INFINITY,
  readMax: Number.POSITIVE_INFINITY,
};
/** Limits of one read, independent of the delivery's. */
const READING: ChangeBounds = { changesMax: 100, bytesMax: 512 * 1024 };
/** Of a CloudEvent without its data and its position. */
const ATTRIBUTES_BYTES = 400;

/** The first changes of a range of a topic, in order (`readChanges`). */
export type ReadChanges = (
  topic: StreamTopic,
  range: HistoryRange,
  bounds: ChangeBounds,
) => Promise<ChangeEvent[]>;

export interface Gathering {
  /** The delivered position. Only its topics are gathered. */
  from: ChangeCursor;
  /** The position to gather up to. */
  heads: ChangeCursor;
  filter: ChangeFilter;
  bounds: DeliveryBounds;
  /** The first partition: rotates, so that one with many changes does not block the others. */
  first: number;
}

export interface Gathered {
  changes: PlacedChange[];
  /** The position after them, and after changes that the filter has skipped. */
  to: ChangeCursor;
}

/**
 * The changes after a position, up to the limits of one delivery. Of each partition and topic the first changes,
 * without a gap.
 * @throws HistoryGapError
 */
export async function gather(
  read: ReadChanges,
  { from, heads, filter, bounds, first }: Gathering,
): Promise<Gathered> {
  const to = structuredClone(from);
  const changes: PlacedChange[] = [];
  const overhead = ATTRIBUTES_BYTES + positionCharacters(heads);
  let [bytes, wasRead] = [0, 0];
  for (const [topic, partition] of placesOf(from, first)) {
    const [reached, end] = [to[topic]!, heads[topic]![partition]!];
    while (reached[partition]! < end) {
      if (wasRead >= bounds.readMax || changes.length >= bounds.changesMax) return { changes, to };
      const found = await read(topic, { partition, after: reached[partition]! }, readingOf(bounds, changes));
      if (found.length === 0) {
        throw new HistoryGapError(`${topic} of partition ${partition} end before ${end}`);
      }
      for (const event of found) {
        const { sequence } = event.changed.change;
        if (sequence > end) break;
        wasRead += 1;
        if (matchesFilter(filter, event)) {
          const change = placed(topic, partition, event);
          bytes += Buffer.byteLength(change.data) + overhead;
          const isFull = changes.length >= bounds.changesMax || bytes > bounds.bytesMax;
          if (isFull && changes.length > 0) return { changes, to };
          changes.push(change);
        }
        reached[partition] = sequence;
      }
    }
  }
  return { changes, to };
}

/** Partition by partition, within one in the order of the topics. */
function* placesOf(from: ChangeCursor, first: number): Generator<[StreamTopic, number]> {
  const topics = STREAM_TOPICS.filter((topic) => from[topic]);
  const partitions = from[topics[0]!]?.length ?? 0;
  for (let i = 0; i < partitions; i += 1) {
    for (const topic of topics) yield [topic, (first + i) % partitions];
  }
}

const readingOf = ({ changesMax }: DeliveryBounds, changes: readonly PlacedChange[]): ChangeBounds => ({
  ...READING,
  changesMax: Math.min(READING.changesMax, Math.max(1, changesMax - changes.length)),
});

/** Of the longest position on the way to there. */
const positionCharacters = (heads: ChangeCursor): number =>
  Object.values(heads).reduce(
    (sum, sequences) => sum + sequences.reduce((own, one) => own + one.toString(36).length + 1, 2),
    0,
  );
