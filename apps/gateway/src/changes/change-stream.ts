import { type ChangeCursor, formatCursor, STREAM_TOPICS } from '#libs/changes';
import { AccessEndedException } from '../auth/access.ts';
import type { ChangeHeads, Heads } from './change-heads.ts';
import type { ChangeTexts } from './change-texts.ts';
import { endText } from './event-text.ts';

/** Keeps proxies and the server's own bound on silence from ending the connection. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;
/** Events are handed on in pieces of about this size. */
const PIECE_CHARACTERS = 64 * 1024;

export interface ChangeSources {
  heads: Pick<ChangeHeads, 'after'>;
  texts: Pick<ChangeTexts, 'after'>;
}

/**
 * The stream of one client from `cursor` on, until `signal` is aborted; if the reason is the end of its access, a last
 * event names it. Back-pressure: nothing is read before the client has taken the earlier changes.
 */
export async function* changeStream(
  { heads, texts }: ChangeSources,
  cursor: ChangeCursor,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // An id without data is no event, but a client that is disconnected before the first one resumes from here.
  yield `retry: ${RECONNECT_MS}\nid: ${formatCursor(cursor)}\n\n`;
  let version = 0;
  while (!signal.aborted) {
    const reached = await heads.after(version, HEARTBEAT_MS, signal);
    if (reached) {
      version = reached.version;
      yield* changesUpTo(reached, texts, cursor, signal);
    } else if (!signal.aborted) {
      yield ': heartbeat\n\n';
    }
  }
  if (signal.reason instanceof AccessEndedException) yield endText(signal.reason);
}

async function* changesUpTo(
  { vector }: Heads,
  texts: ChangeSources['texts'],
  cursor: ChangeCursor,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const topic of STREAM_TOPICS) {
    const sequences = cursor[topic] ?? [];
    for (let partition = 0; partition < sequences.length; partition += 1) {
      while (sequences[partition]! < vector[topic][partition]! && !signal.aborted) {
        const found = await texts.after(topic, partition, sequences[partition]!);
        if (signal.aborted) return;
        if (found.length === 0)
          throw new Error(`${topic}/${partition} ends before ${vector[topic][partition]}`);
        yield* pieces(found, () => {
          sequences[partition]! += 1;
          return formatCursor(cursor);
        });
      }
    }
  }
}

function* pieces(texts: string[], nextId: () => string): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += `${text}id: ${nextId()}\n\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
