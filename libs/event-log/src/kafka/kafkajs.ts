import { createRequire } from 'node:module';
import { crc32c } from './crc32c.ts';
import { messagesDecoder, type PlaceInBytes } from './decode-messages.ts';
import { decodeRecord } from './decode-record.ts';
import { recordEncoder } from './encode-record.ts';
import { freshConnection } from './fresh-connection.ts';
import { messagesByPartition } from './messages-by-partition.ts';
import { checksPendingOnly } from './pending-checks.ts';
import { requestEncoder } from './request-encoder.ts';

const require = createRequire(import.meta.url);

/** Replaces what a module of the package exports, before the modules that use it are loaded. */
function replace<T>(module: string, replacementOf: (original: T) => T): void {
  const original = require(module) as T;
  require.cache[require.resolve(module)]!.exports = replacementOf(original);
}

// The encoding of records, the largest part of the CPU of kafkajs, and their decoding. The version of the package is
// exact, and `kafkajs.spec` compares the results with those of the originals (docs/decisions/0141-encoding-of-records.md,
// docs/decisions/0150-decoding-of-records.md).
replace('kafkajs/src/protocol/encoder.js', requestEncoder);
replace('kafkajs/src/producer/groupMessagesPerPartition.js', () => messagesByPartition);
replace('kafkajs/src/protocol/recordBatch/record/v0/index.js', recordEncoder);
replace('kafkajs/src/protocol/recordBatch/record/v0/decoder.js', () => decodeRecord);
replace('kafkajs/src/protocol/recordBatch/crc32C/index.js', () => crc32c);
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => PlaceInBytes;
replace('kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js', () =>
  messagesDecoder(require('kafkajs/src/protocol/recordBatch/v0/decoder.js'), (bytes) => new Decoder(bytes)),
);

replace('kafkajs/src/network/requestQueue/index.js', checksPendingOnly);
replace('kafkajs/src/network/connection.js', freshConnection);

const kafkajs = require('kafkajs') as typeof import('kafkajs');

export const { AssignerProtocol, CompressionTypes, ConfigResourceTypes, Kafka, logLevel, Partitioners } =
  kafkajs;
