import {
  type ChangeBounds,
  type ChangeCursor,
  HistoryGapError,
  type HistoryRange,
  STREAM_TOPICS,
  type StreamTopic,
} from '#libs/changes';
import type { PlacedChange } from './delivery-body.ts';

/** Limits of one delivery; a single larger change has its own. */
export interface DeliveryBounds extends ChangeBounds {
  /** Maximum number of changes to read, including changes that are skipped. */
  readMax: number;
  /** A delivery with changes reads on until it is full: how many it contains does not show how many were skipped. */
  isAlwaysFull?: boolean;
}

export const DELIVERY_BOUNDS: DeliveryBounds = { changesMax: 100, bytesMax: 256 * 1024, readMax: 2_000 };
/** Each change can take several requests. */
export const TICKET_BOUNDS: DeliveryBounds = { ...DELIVERY_BOUNDS, changesMax: 20 };
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

export interface ReadChange {
  sequence: number;
  /** Null: it is skipped. */
  change: PlacedChange | null;
}

/** The first changes of a range of a topic, in order; empty only if the range has none. */
export type ReadChanges = (
  topic: StreamTopic,
  range: HistoryRange,
  bounds: ChangeBounds,
) => Promise<ReadChange[]>;

export interface Gathering {
  /** The delivered position. Only its topics are gathered. */
  from: ChangeCursor;
  /** The position to gather up to. */
  heads: ChangeCursor;
  bounds: DeliveryBounds;
  /** Of the text of a position; omitted: that of the longest position on the way to the heads. */
  positionCharacters?: number;
  /** The first partition: rotates, so that one with many changes does not block the others. */
  first: number;
}

export interface Gathered {
  changes: PlacedChange[];
  /** The position after them, and after changes that were skipped. */
  to: ChangeCursor;
}

/**
 * The changes after a position, up to the limits of one delivery. Of each partition and topic the first changes,
 * without a gap.
 * @throws HistoryGapError
 */
export async function gather(
  read: ReadChanges,
  { from, heads, bounds, first, positionCharacters = charactersOf(heads) }: Gathering,
): Promise<Gathered> {
  const to = structuredClone(from);
  const changes: PlacedChange[] = [];
  const overhead = ATTRIBUTES_BYTES + positionCharacters;
  let [bytes, wasRead] = [0, 0];
  for (const [topic, partition] of placesOf(from, first)) {
    const [reached, end] = [to[topic]!, heads[topic]![partition]!];
    while (reached[partition]! < end) {
      if (mustEnd(bounds, wasRead, changes)) return { changes, to };
      const found = await read(topic, { partition, after: reached[partition]! }, readingOf(bounds, changes));
      if (found.length === 0) {
        throw new HistoryGapError(`${topic} of partition ${partition} end before ${end}`);
      }
      for (const { sequence, change } of found) {
        if (sequence > end) break;
        wasRead += 1;
        if (change) {
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

const mustEnd = (
  { readMax, changesMax, isAlwaysFull = false }: DeliveryBounds,
  wasRead: number,
  { length }: readonly PlacedChange[],
): boolean => length >= changesMax || (wasRead >= readMax && !(isAlwaysFull && length > 0));

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
const charactersOf = (heads: ChangeCursor): number =>
  Object.values(heads).reduce(
    (sum, sequences) => sum + sequences.reduce((own, one) => own + one.toString(36).length + 1, 2),
    0,
  );
