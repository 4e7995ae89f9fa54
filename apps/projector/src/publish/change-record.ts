import { v5 as uuidv5 } from 'uuid';
import {
  ASSETS_TOPIC,
  type ChangeCodec,
  type ChangeEvent,
  type ChangeTopic,
  FINDINGS_TOPIC,
} from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

/** Names the place of a record's change in its partition; the same on a tombstone that follows the change. */
export const SEQUENCE_HEADER = 'sequence';
/** On a finding's tombstone: sequence of the change that deleted its asset. */
export const DELETION_HEADER = 'deletion';

const EVENT_NAMESPACE = '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a05';
/** No value: on Kafka compaction forgets the key. */
const NO_VALUE = Buffer.alloc(0);

const TOPICS: Record<ChangeEvent['kind'], ChangeTopic> = { finding: FINDINGS_TOPIC, asset: ASSETS_TOPIC };

/** A deletion of an asset, as the tombstones of its findings tell it. */
export interface Deletion {
  /** Of the asset's change. */
  sequence: number;
  at: number;
  logOffset: number;
  assetNumber: number;
}

/** A change as a record: key is the finding's or the asset's id, headers are CloudEvents 1.0 (Kafka binding). */
export function changeRecord(event: ChangeEvent, codec: ChangeCodec): LogRecord {
  const { kind, changed } = event;
  const { name, at, sequence, position } = changed.change;
  return {
    key: changed.id,
    value: codec.encode(event),
    headers: {
      ...cloudEvent({
        uniqueName: `${TOPICS[kind]}/${position.partition}/${sequence}`,
        type: `posture.${kind}.${name}`,
        partition: position.partition,
        at,
        subject: changed.id,
      }),
      'content-type': 'application/avro',
      [SEQUENCE_HEADER]: `${sequence}`,
    },
  };
}

/** Follows the change that deleted an asset. */
export function assetTombstone({ changed }: Extract<ChangeEvent, { kind: 'asset' }>): LogRecord {
  const { at, sequence, position } = changed.change;
  return {
    key: changed.id,
    value: NO_VALUE,
    headers: {
      ...cloudEvent({
        uniqueName: `${ASSETS_TOPIC}/${position.partition}/${sequence}/tombstone`,
        type: 'posture.asset.tombstone',
        partition: position.partition,
        at,
        subject: changed.id,
      }),
      [SEQUENCE_HEADER]: `${sequence}`,
    },
  };
}

/** Follows the last change of a finding before its asset was deleted; `sequence` is that of the record before it. */
export const findingTombstone = (
  id: string,
  deletion: Deletion,
  partition: number,
  sequence: number,
): LogRecord => ({
  key: id,
  value: NO_VALUE,
  headers: {
    ...cloudEvent({
      uniqueName: `${FINDINGS_TOPIC}/${partition}/${deletion.sequence}/tombstone/${id}`,
      type: 'posture.finding.tombstone',
      partition,
      at: deletion.at,
      subject: id,
    }),
    [SEQUENCE_HEADER]: `${sequence}`,
    [DELETION_HEADER]: `${deletion.sequence}`,
  },
});

export interface CloudEventFacts {
  /** What the id is made of: the same however often a record is published. */
  uniqueName: string;
  type: string;
  partition: number;
  at: number;
  /** What it is about: id of the finding or asset, or key of the record. */
  subject: string;
}

/** CloudEvents 1.0 in the Kafka binding, as headers. */
export const cloudEvent = ({ uniqueName, type, partition, at, subject }: CloudEventFacts) => ({
  ce_specversion: '1.0',
  ce_id: uuidv5(uniqueName, EVENT_NAMESPACE),
  ce_type: type,
  ce_source: `/${INTAKE_TOPIC}/${partition}`,
  ce_time: new Date(at).toISOString(),
  ce_subject: subject,
});
