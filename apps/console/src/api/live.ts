import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useState } from 'react';
import { session } from '../session/session.ts';
import { queryClient } from './query-client.ts';

export type LiveState = 'live' | 'connecting';

/** Changes come in bursts, and each refresh asks anew for all that is shown. */
const REFRESH_MS_MIN = 1_500;
const RECONNECT_MS = 3_000;

/** Routes whose answers a change of each kind may alter, by the beginnings of their paths. */
const TOUCHED: Record<string, readonly string[]> = {
  finding: ['/api/v3/findings', '/api/v3/assets', '/api/v3/uploads', '/integrations'],
  asset: ['/api/v3/assets', '/api/v3/uploads', '/integrations'],
  score: ['/api/v3/scores', '/api/v3/assets'],
};

/**
 * Follows the service's changes while `isOn`, and lets what is shown be asked for anew when it may have changed; but
 * for queries with `meta: {live: false}`, whose answers cost the service too much for that.
 */
export function useLive(isOn: boolean): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    void follow(setState, ended.signal);
    return () => ended.abort();
  }, [isOn]);
  return state;
}

async function follow(tell: (state: LiveState) => void, signal: AbortSignal): Promise<void> {
  const refresh = refresher(signal);
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const { id, event } of await changes(lastEventId, signal, () => tell('live'))) {
        lastEventId = id ?? lastEventId;
        refresh(TOUCHED[event ?? ''] ?? []);
      }
    } catch {
      // Said by the state; the loop goes on where it was.
    }
    tell('connecting');
    await pause(RECONNECT_MS, signal);
  }
}

/** The browser's own EventSource cannot send a token. */
async function changes(
  lastEventId: string | undefined,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<AsyncIterable<EventSourceMessage>> {
  const response = await fetch('/api/v3/changes', {
    signal,
    headers: {
      authorization: `Bearer ${session.current?.token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  if (!response.ok || response.body === null) throw new Error(`no changes: ${response.status}`);
  onOpen();
  return readable(
    response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()),
  );
}

/** Safari's streams are not iterable by themselves. */
async function* readable<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
}

/** Gathers what was touched; asks for it once, then again no sooner than the answers came and a while has passed. */
function refresher(signal: AbortSignal): (paths: readonly string[]) => void {
  const touched = new Set<string>();
  let isRunning = false;
  async function run() {
    isRunning = true;
    while (touched.size > 0 && !signal.aborted) {
      const paths = [...touched];
      touched.clear();
      const asked = queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path], meta }) =>
          meta?.live !== false && paths.some((start) => String(path).startsWith(start)),
      });
      await Promise.all([asked, pause(REFRESH_MS_MIN, signal)]);
    }
    isRunning = false;
  }
  return (paths) => {
    for (const path of paths) touched.add(path);
    if (!isRunning) void run();
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
