/** `max.message.bytes` of every topic (`openTopics`): the largest batch that a broker takes. */
export const TOPIC_BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** One `send` carries at most this; kafkajs does not split requests. The rest is room for the batch's own header. */
export const SEND_BYTES_MAX = TOPIC_BATCH_BYTES_MAX - 64 * 1024;
export const SEND_RECORDS_MAX = 5_000;

/** Bytes of one fetch of a partition; more if they contained no whole record, as a batch may be larger. */
export const FETCH_BYTES_MIN = 1024 * 1024;
export const FETCH_BYTES_MAX = 2 * TOPIC_BATCH_BYTES_MAX;
