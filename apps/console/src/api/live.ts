import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { refuseToken, tokenInForce } from '../session/session.ts';
import { queryClient } from './query-client.ts';

export type LiveState = 'live' | 'connecting';

/** Changes come in bursts, and each refresh asks anew for all that is shown. */
const REFRESH_MS_MIN = 1_500;
const RECONNECT_MS = 3_000;
/** The service is heard of every 15 s at least. */
const SILENCE_MS_MAX = 60_000;

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
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    void follow(setState, hasBegun, ended.signal);
    return () => ended.abort();
  }, [isOn]);
  return state;
}

/**
 * A stream tells what changes from its opening on. The page's first one is opened with its first answers; before any
 * other something may have changed that nobody has told.
 */
async function follow(
  tell: (state: LiveState) => void,
  hasBegun: RefObject<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const refresh = refresher(signal);
  while (!signal.aborted) {
    const isFirst = !hasBegun.current;
    hasBegun.current = true;
    const onOpen = () => {
      tell('live');
      if (!isFirst) refresh(Object.values(TOUCHED).flat());
    };
    try {
      for await (const { event } of changes(signal, onOpen)) refresh(TOUCHED[event ?? ''] ?? []);
    } catch {
      // Said by the state; the loop goes on.
    }
    tell('connecting');
    await pause(RECONNECT_MS, signal);
  }
}

/** The browser's own EventSource cannot send a token. */
async function* changes(signal: AbortSignal, onOpen: () => void): AsyncGenerator<EventSourceMessage> {
  const token = await tokenInForce(signal);
  const watch = watchFor(SILENCE_MS_MAX, signal);
  try {
    const response = await fetch('/api/v3/changes', {
      signal: watch.signal,
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status === 401) refuseToken(token);
    if (!response.ok || response.body === null) throw new Error(`no changes: ${response.status}`);
    onOpen();
    const heard = new TransformStream<string, string>({
      transform: (text, controller) => {
        watch.renew();
        controller.enqueue(text);
      },
    });
    const messages = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(heard)
      .pipeThrough(new EventSourceParserStream());
    for await (const message of readable(messages)) {
      // The credential was deleted or rotated, or the token has expired: there is nothing to retry.
      if (message.event === 'end') refuseToken(token);
      yield message;
    }
  } finally {
    watch.end();
  }
}

/** A signal that ends with another, and where it is not renewed in time. */
function watchFor(ms: number, signal: AbortSignal) {
  const ended = new AbortController();
  const end = () => {
    window.clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ended.abort();
  };
  let timer = window.setTimeout(end, ms);
  signal.addEventListener('abort', end);
  const renew = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(end, ms);
  };
  return { signal: ended.signal, renew, end };
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
