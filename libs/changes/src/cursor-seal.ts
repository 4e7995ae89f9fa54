import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { deriveKey } from '#libs/config';
import { type ChangeCursor, STREAM_TOPICS } from './change-cursor.ts';

const PREFIX = 'v1-';
const CIPHER = 'aes-256-ctr';
const IV_BYTES = 16;
const SALT_BYTES = 8;
const UUID_BYTES = 16;
/** Of a sequence: all have the same length, which would count changes otherwise. */
const SEQUENCE_BYTES = 6;

interface Keys {
  cipher: Buffer;
  iv: Buffer;
  id: Buffer;
}

/**
 * Cursors and ids of changes for limited callers. A plain one counts the changes of all assets, so theirs are encrypted and authenticated
 * with keys of the site's secret keys: the initialization vector is an HMAC of the text (SIV), so that none repeats for
 * two texts. Two sealed cursors of the same place differ, which would show that nothing has changed otherwise.
 */
export class CursorSeal {
  /** The current ones first. */
  private readonly keys: Keys[];

  /** @param secretKeys the newest first, one at least */
  constructor(secretKeys: readonly Buffer[]) {
    this.keys = secretKeys.map((secret) => ({
      cipher: deriveKey(secret, 'change cursors'),
      iv: deriveKey(secret, 'change cursors iv'),
      id: deriveKey(secret, 'change ids'),
    }));
  }

  /** @param name of the place where the cursor is sent, if it must be the same text each time; nowhere else has it */
  seal(cursor: ChangeCursor, name?: string): string {
    const text = Buffer.concat([
      name === undefined ? randomBytes(SALT_BYTES) : saltOf(name),
      encoded(cursor),
    ]);
    const { cipher, iv: ivKey } = this.keys[0]!;
    const iv = ivOf(text, ivKey);
    const sealed = createCipheriv(CIPHER, cipher, iv).update(text);
    return PREFIX + Buffer.concat([iv, sealed]).toString('base64url');
  }

  /**
   * The id of a change, the same each time. The one that unlimited callers know is a hash of the change's sequence,
   * which could be found by trying.
   */
  changeId(id: string): string {
    return idWith(this.keys[0]!, id);
  }

  /** What `changeId` returned while one of the previous keys was the current one. */
  formerChangeIds(id: string): string[] {
    return this.keys.slice(1).map((keys) => idWith(keys, id));
  }

  /** Null if the text is none that `seal` has made with one of the keys. */
  open(text: string): ChangeCursor | null {
    if (!text.startsWith(PREFIX)) return null;
    const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
    if (bytes.length <= IV_BYTES + SALT_BYTES) return null;
    const iv = bytes.subarray(0, IV_BYTES);
    for (const keys of this.keys) {
      const opened = createDecipheriv(CIPHER, keys.cipher, iv).update(bytes.subarray(IV_BYTES));
      if (timingSafeEqual(ivOf(opened, keys.iv), iv)) return decoded(opened.subarray(SALT_BYTES));
    }
    return null;
  }
}

const saltOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, SALT_BYTES);

const idWith = (keys: Keys, id: string): string =>
  uuidOf(createHmac('sha256', keys.id).update(id).digest().subarray(0, UUID_BYTES));

/** Version 8 (RFC 9562): the digits have no meaning. */
function uuidOf(bytes: Buffer): string {
  const digits = Buffer.from(bytes);
  digits[6] = (digits[6]! & 0x0f) | 0x80;
  digits[8] = (digits[8]! & 0x3f) | 0x80;
  return digits.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const ivOf = (text: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, IV_BYTES);

/** A byte that names the topics, and the sequences of each. */
function encoded(cursor: ChangeCursor): Buffer {
  const topics = STREAM_TOPICS.filter((topic) => cursor[topic]);
  const sequences = topics.flatMap((topic) => cursor[topic]!);
  const bytes = Buffer.alloc(1 + sequences.length * SEQUENCE_BYTES);
  bytes[0] = topics.reduce((sum, topic) => sum | (1 << STREAM_TOPICS.indexOf(topic)), 0);
  sequences.forEach(
    (sequence, i) => void bytes.writeUIntBE(sequence, 1 + i * SEQUENCE_BYTES, SEQUENCE_BYTES),
  );
  return bytes;
}

function decoded(bytes: Buffer): ChangeCursor {
  const topics = STREAM_TOPICS.filter((_, i) => bytes[0]! & (1 << i));
  const partitions = (bytes.length - 1) / SEQUENCE_BYTES / topics.length;
  const sequenceAt = (i: number) => bytes.readUIntBE(1 + i * SEQUENCE_BYTES, SEQUENCE_BYTES);
  return Object.fromEntries(
    topics.map((topic, place) => [
      topic,
      Array.from({ length: partitions }, (_, partition) => sequenceAt(place * partitions + partition)),
    ]),
  );
}
