import type { EncodedPayload } from '#libs/contracts';
import type { FieldMessage } from '#libs/domain';

/** With its envelope, which has up to 100 warnings, an event must fit a record of the log: 4 MB. */
const PAYLOAD_BYTES_MAX = 3 * 1_048_576;

const TOO_LARGE: FieldMessage = {
  field: '',
  message: 'the signal has more than 3 MB as an event: send fewer instances, mappings or unknown properties',
};

/** Problems of a signal as an event; it is larger than the signal, because instances repeat common values (R-SIG-22). */
export const problemsOfSize = ({ bytes }: EncodedPayload): FieldMessage[] =>
  bytes.length > PAYLOAD_BYTES_MAX ? [TOO_LARGE] : [];
