import type { FieldMessage } from '#libs/domain';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { SIGNALS_TOPIC } from '#libs/intake';
import { BODY_BYTES_MAX } from '../http/http-limits.ts';

/** Headers that a refused record has in addition to those of its producer. */
const OWN_PREFIX = 'posture-';
const REASONS_HEADER = 'posture-reasons';
export const SOURCE_HEADER = 'posture-source';
export const STORED_AT_HEADER = 'posture-stored-at';
const VALUE_BYTES_HEADER = 'posture-value-bytes';
const HEADERS_OMITTED_HEADER = 'posture-headers-omitted';

const KEY_CHARACTERS_MAX = 1_024;
const HEADERS_BYTES_MAX = 16_384;

/** Name of a record of the inbox: topic, partition and offset. */
export const sourceOf = ({ partition, offset }: StoredRecord): string =>
  `${SIGNALS_TOPIC}/${partition}/${offset}`;

/**
 * A record of the inbox that is no signal, as the topic of refused records has it: key, value and headers of its
 * producer, and the reasons as a JSON list. A value above the limit of a signal is cut there.
 */
export function refusedRecord(record: StoredRecord, reasons: FieldMessage[]): LogRecord {
  const { key, value } = record;
  const { kept, omitted } = boundedHeaders(record.headers);
  return {
    key: key.slice(0, KEY_CHARACTERS_MAX),
    value: value.subarray(0, BODY_BYTES_MAX),
    headers: {
      ...kept,
      [REASONS_HEADER]: JSON.stringify(reasons.map(({ field, message }) => ({ field, message }))),
      [SOURCE_HEADER]: sourceOf(record),
      [STORED_AT_HEADER]: new Date(record.storedAt).toISOString(),
      ...(value.length > BODY_BYTES_MAX && { [VALUE_BYTES_HEADER]: `${value.length}` }),
      ...(omitted > 0 && { [HEADERS_OMITTED_HEADER]: `${omitted}` }),
    },
  };
}

/** Without those that an earlier refusal added to a record that is sent again. */
function boundedHeaders(headers: Record<string, string>): { kept: Record<string, string>; omitted: number } {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(OWN_PREFIX));
  let bytes = 0;
  const kept = own.filter(([name, text]) => {
    const more = Buffer.byteLength(name) + Buffer.byteLength(text);
    if (bytes + more > HEADERS_BYTES_MAX) return false;
    bytes += more;
    return true;
  });
  return { kept: Object.fromEntries(kept), omitted: own.length - kept.length };
}
