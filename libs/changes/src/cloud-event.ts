import { isoTime, uuidV5 } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';

const eventId = uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a05');

export interface CloudEventFacts {
  /** Source of the id: the same each time a record is published. */
  uniqueName: string;
  type: string;
  partition: number;
  at: number;
  /** The subject: id of the finding or asset, or key of the record. */
  subject: string;
}

/** CloudEvents 1.0 in the Kafka binding, as headers. */
export const cloudEvent = ({ uniqueName, type, partition, at, subject }: CloudEventFacts) => ({
  ce_specversion: '1.0',
  ce_id: eventId(uniqueName),
  ce_type: type,
  ce_source: `/${INTAKE_TOPIC}/${partition}`,
  ce_time: isoTime(at),
  ce_subject: subject,
});

export type CloudEventAttributes = ReturnType<typeof cloudEvent>;
