import { type ChangeCursor, STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { AccessEndedException } from '../auth/access.ts';
import type { ChangeHeads, Heads } from './change-heads.ts';
import { endText } from './event-text.ts';

/** Keeps proxies and the server's own bound on silence from ending the connection. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;
/** Events are handed on in pieces of about this size. */
const PIECE_CHARACTERS = 64 * 1024;

export interface ChangeSources {
  heads: Pick<ChangeHeads, 'after'>;
  texts: {
    /** The first changes of a partition after a sequence, in order; null: a change that the client does not see. */
    after(topic: StreamTopic, partition: number, sequence: number): Promise<(string | null)[]>;
  };
  /** The id of an event of the client. */
  idOf(cursor: ChangeCursor): string;
}

/**
 * The stream of one client from `cursor` on, until `signal` is aborted; if the reason is the end of its access, a last
 * event names it. Back-pressure: nothing is read before the client has taken the earlier changes. Changes that the client
 * does not see move its id along with the heartbeats only: these come if nothing was sent, whatever has changed.
 */
export async function* changeStream(
  sources: ChangeSources,
  cursor: ChangeCursor,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // An id without data is no event, but a client that is disconnected before the first one resumes from here.
  yield `retry: ${RECONNECT_MS}\nid: ${sources.idOf(cursor)}\n\n`;
  const heartbeat = () => `: heartbeat\nid: ${sources.idOf(cursor)}\n\n`;
  let version = 0;
  let beatAt = performance.now() + HEARTBEAT_MS;
  while (!signal.aborted) {
    const reached = await sources.heads.after(version, Math.max(0, beatAt - performance.now()), signal);
    if (reached) {
      version = reached.version;
      for await (const piece of changesUpTo(reached, sources, cursor, signal)) {
        if (piece === '' && performance.now() < beatAt) continue;
        yield piece === '' ? heartbeat() : piece;
        beatAt = performance.now() + HEARTBEAT_MS;
      }
    }
    if (signal.aborted || (reached && performance.now() < beatAt)) continue;
    yield heartbeat();
    beatAt = performance.now() + HEARTBEAT_MS;
  }
  if (signal.reason instanceof AccessEndedException) yield endText(signal.reason);
}

/** Events, in pieces; empty after a read of changes that the client does not see, which may be many. */
async function* changesUpTo(
  { vector }: Heads,
  { texts, idOf }: ChangeSources,
  cursor: ChangeCursor,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const topic of STREAM_TOPICS) {
    const sequences = cursor[topic] ?? [];
    for (let partition = 0; partition < sequences.length; partition += 1) {
      const end = vector[topic][partition]!;
      while (sequences[partition]! < end && !signal.aborted) {
        const read = await texts.after(topic, partition, sequences[partition]!);
        if (signal.aborted) return;
        if (read.length === 0) throw new Error(`${topic}/${partition} ends before ${end}`);
        // The assets of later changes may not have been sent.
        const found = read.slice(0, end - sequences[partition]!);
        yield* pieces(found, (isSent) => {
          sequences[partition]! += 1;
          return isSent ? idOf(cursor) : '';
        });
        if (found.every((text) => text === null)) yield '';
      }
    }
  }
}

/** @param advance past the next change; returns the id after it */
function* pieces(texts: (string | null)[], advance: (isSent: boolean) => string): Generator<string> {
  let piece = '';
  for (const text of texts) {
    const id = advance(text !== null);
    if (text === null) continue;
    piece += `${text}id: ${id}\n\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
