import { useDebouncedValue } from '@mantine/hooks';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { rejectToken, tokenInForce } from '../session/session.ts';
import { queryClient } from './query-client.ts';

/** `everyMinute`: the user has no stream. `crowded`: the service follows for as many clients as it can. */
export type LiveState = 'live' | 'connecting' | 'everyMinute' | 'crowded';

/** Changes arrive in bursts, and each refresh requests all displayed data. */
const REFRESH_MS_MIN = 1_500;
const RECONNECT_MS = 3_000;
/** Pages without a stream are refreshed at this interval. */
const WITHOUT_STREAM_MS = 60_000;
/** The service sends a heartbeat every 15 s. */
const SILENCE_MS_MAX = 60_000;
/** So that a look at another tab does not end the stream. */
const HIDDEN_MS_MAX = 5_000;

/** Path prefixes of the routes whose responses a change can affect, by kind of change. */
const AFFECTED_PATHS: Record<string, readonly string[]> = {
  finding: [
    '/api/v3/findings',
    '/api/v3/notifications',
    '/api/v3/plans',
    '/api/v3/assets',
    '/api/v3/uploads',
    '/integrations',
  ],
  // Findings are filtered by the fields of their asset, scores are grouped by them.
  asset: [
    '/api/v3/assets',
    '/api/v3/findings',
    '/api/v3/plans',
    '/api/v3/scores',
    '/api/v3/uploads',
    '/integrations',
  ],
  // Decisions are stored with the scores, a moment after the findings.
  score: ['/api/v3/scores', '/api/v3/assets', '/api/v3/findings'],
  hidden: ['/api/v3/findings', '/api/v3/plans', '/api/v3/assets', '/api/v3/scores', '/integrations'],
};

const MINUTE_MS = 60_000;

/**
 * Options of a query that reads many findings, so that it does not follow each change: it is sent again each minute.
 * @param asOf the displayed time, which does not change; null: the present
 */
export const eachMinute = (asOf: string | null) => ({ meta: { live: false }, ...alsoEachMinute(asOf) });

/**
 * Options of a query that follows changes, and what the change stream does not report, such as the score of a group that
 * an asset has left.
 * @param asOf as of `eachMinute`
 */
export const alsoEachMinute = (asOf: string | null) => ({
  refetchInterval: asOf === null ? MINUTE_MS : (false as const),
});

/**
 * Follows the change stream while `isOn` and refreshes affected queries. Queries with `meta: {live: false}` are
 * excluded, because they are too expensive for the service. A hidden tab has no stream: with HTTP/1.1, a browser has six
 * connections to a host for all tabs, and the service a limited number of streams.
 */
export function useLive(isOn: boolean): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const isHidden = useSyncExternalStore(onVisibilityChange, () => document.hidden);
  const [wasHidden] = useDebouncedValue(isHidden, HIDDEN_MS_MAX);
  const isFollowing = isOn && !(isHidden && wasHidden);
  useEffect(() => {
    if (!isFollowing) return;
    const ended = new AbortController();
    void follow(setState, ended.signal);
    return () => ended.abort();
  }, [isFollowing]);
  return state;
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** A stream reports changes from its start on. Before it, changes may have been missed, so what is there is refreshed. */
async function follow(report: (state: LiveState) => void, signal: AbortSignal): Promise<void> {
  const refresh = refresher(signal);
  const refreshAll = () => refresh(Object.values(AFFECTED_PATHS).flat());
  const onOpen = () => {
    report('live');
    refreshAll();
  };
  while (!signal.aborted) {
    try {
      for await (const { event } of changes(signal, onOpen)) refresh(AFFECTED_PATHS[event ?? ''] ?? []);
    } catch (error) {
      // The state shows the error. The loop reconnects.
      if (error instanceof NoStreamError) {
        report(error.state);
        refreshAll();
        await pause(WITHOUT_STREAM_MS, signal);
        continue;
      }
    }
    report('connecting');
    await pause(RECONNECT_MS, signal);
  }
}

class NoStreamError extends Error {
  constructor(readonly state: LiveState) {
    super(state);
  }
}

/** Uses `fetch`, because EventSource cannot send a token. */
async function* changes(signal: AbortSignal, onOpen: () => void): AsyncGenerator<EventSourceMessage> {
  const token = await tokenInForce(signal);
  const watch = watchFor(SILENCE_MS_MAX, signal);
  try {
    const response = await fetch('/api/v3/changes', {
      signal: watch.signal,
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status === 401) rejectToken(token);
    if (response.status === 403) throw new NoStreamError('everyMinute');
    if (response.status === 429) throw new NoStreamError('crowded');
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
      // The credential was deleted or rotated, or the token has expired, so that a retry cannot succeed. With other rights
      // it can.
      if (message.event === 'end' && JSON.parse(message.data).reason !== 'changed') rejectToken(token);
      yield message;
    }
  } finally {
    watch.end();
  }
}

/** A signal that aborts with another signal, or if it is not renewed in time. */
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

/** Streams in Safari are not async iterable. */
async function* readable<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
}

/** Collects affected paths and refreshes them together, one refresh at a time and with a minimum interval. */
function refresher(signal: AbortSignal): (paths: readonly string[]) => void {
  const pending = new Set<string>();
  let isRunning = false;
  async function run() {
    isRunning = true;
    while (pending.size > 0 && !signal.aborted) {
      const paths = [...pending];
      pending.clear();
      const asked = queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path], meta }) =>
          meta?.live !== false && paths.some((start) => String(path).startsWith(start)),
      });
      await Promise.all([asked, pause(REFRESH_MS_MIN, signal)]);
    }
    isRunning = false;
  }
  return (paths) => {
    for (const path of paths) pending.add(path);
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
