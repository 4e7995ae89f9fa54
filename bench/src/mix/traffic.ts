import { setTimeout } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { HttpClient } from '../run/http-client.ts';
import type { Reading } from './requests.ts';
import type { Tally } from './tally.ts';

const ANSWER_MS_MAX = 120_000;

export interface Reader {
  client: HttpClient;
  tally: Tally;
  /** Ends the traffic. */
  over: AbortSignal;
}

/** Sends readings one after another until `over`, with a pause after each answer, as users and scripts do. */
export async function readAlong(
  reader: Reader,
  pauseMs: number,
  round: (n: number) => Reading[],
): Promise<void> {
  for (let n = 0; !reader.over.aborted; n++) {
    for (const reading of round(n)) {
      if (reader.over.aborted) return;
      await read(reader, reading);
      await setTimeout(pauseMs, undefined, { signal: reader.over }).catch(() => undefined);
    }
  }
}

async function read({ client, tally }: Reader, { kind, paths }: Reading): Promise<void> {
  const began = performance.now();
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const ask = async (path: string): Promise<boolean> => {
    try {
      const response = await fetch(`${client.url}${path}`, { headers: client.headers, signal });
      const text = await response.text();
      return tally.answered(kind, response.status, response.status === 200 ? path : `${path}: ${text}`);
    } catch (error) {
      tally.failed(`${kind}: ${path}: ${inWords(error)}`);
      return false;
    }
  };
  const answered = await Promise.all(paths.map(ask));
  if (answered.every(Boolean)) tally.took(kind, performance.now() - began);
}

/** Subscribes to the changes, as the console does, until `over`. Returns the number of changes. */
export async function followChanges({ client, tally, over }: Reader): Promise<number> {
  let changes = 0;
  try {
    const response = await fetch(`${client.url}/api/v3/changes`, { headers: client.headers, signal: over });
    if (!tally.answered('changes', response.status, 'the stream')) return 0;
    const events = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const _ of events) changes++;
    tally.failed('changes: the stream has ended by itself');
  } catch (error) {
    if (!over.aborted) tally.failed(`changes: ${inWords(error)}`);
  }
  return changes;
}

const inWords = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};
