import {
  ASSETS_TOPIC,
  type ChangeCodec,
  type ChangeEvent,
  type ChangeTopic,
  FINDINGS_TOPIC,
  SCORES_TOPIC,
} from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';
import { type CloudEventAttributes, cloudEvent } from './cloud-event.ts';

/** Names the place of a record's change in its partition; the same on a tombstone that follows the change. */
export const SEQUENCE_HEADER = 'sequence';

/** No value: on Kafka compaction forgets the key. */
const NO_VALUE = Buffer.alloc(0);

const TOPICS: Record<ChangeEvent['kind'], ChangeTopic> = {
  finding: FINDINGS_TOPIC,
  asset: ASSETS_TOPIC,
  score: SCORES_TOPIC,
};

/** The id of a change in every output: the same id for every repetition, and no other change's. */
export function changeAttributes(event: ChangeEvent): CloudEventAttributes {
  const { kind, changed } = event;
  const { key, partition } = placeOf(event);
  const { name, at } = changed.change;
  return cloudEvent({
    uniqueName: uniqueNameOf(event),
    type: `posture.${kind}.${name}`,
    partition,
    at,
    subject: key,
  });
}

/** A change as a record: key is the finding's or the asset's id, headers are CloudEvents 1.0 (Kafka binding). */
export function changeRecord(event: ChangeEvent, codec: ChangeCodec): LogRecord {
  return {
    key: placeOf(event).key,
    value: codec.encode(event),
    headers: {
      ...changeAttributes(event),
      'content-type': 'application/avro',
      [SEQUENCE_HEADER]: `${event.changed.change.sequence}`,
    },
  };
}

/** Ends the key of a change, since the asset was deleted. */
export function tombstoneOf(event: ChangeEvent): LogRecord {
  const { kind, changed } = event;
  const { at, sequence } = changed.change;
  const { key, partition } = placeOf(event);
  return tombstone({
    uniqueName: `${uniqueNameOf(event)}/tombstone`,
    kind,
    key,
    partition,
    at,
    sequence,
  });
}

export interface TombstoneFacts {
  /** As of a CloudEvent. */
  uniqueName: string;
  kind: ChangeEvent['kind'];
  key: string;
  partition: number;
  at: number;
  sequence: number;
}

/** A record without a value. */
export const tombstone = ({
  uniqueName,
  kind,
  key,
  partition,
  at,
  sequence,
}: TombstoneFacts): LogRecord & { headers: Record<string, string> } => ({
  key,
  value: NO_VALUE,
  headers: {
    ...cloudEvent({ uniqueName, type: `posture.${kind}.tombstone`, partition, at, subject: key }),
    [SEQUENCE_HEADER]: `${sequence}`,
  },
});

/** A restored site can have other changes with the numbers of published ones: their causes differ. */
function uniqueNameOf(event: ChangeEvent): string {
  const { kind, changed } = event;
  const name = `${TOPICS[kind]}/${placeOf(event).partition}/${changed.change.sequence}`;
  return kind === 'score'
    ? `${name}/${changed.assetId}/${changed.at}/${changed.score}`
    : `${name}/${changed.change.cause.eventId}`;
}

const placeOf = ({ kind, changed }: ChangeEvent): { key: string; partition: number } =>
  kind === 'score'
    ? { key: changed.assetId, partition: changed.change.partition }
    : { key: changed.id, partition: changed.change.position.partition };
