import { Agent, type buildConnector, type Dispatcher } from 'undici';
import type { ConnectionSettings } from './connection-settings.ts';
import { directConnector } from './direct-connector.ts';
import {
  type Egress,
  EgressError,
  type OutgoingAnswer,
  type OutgoingConnection,
  type OutgoingRequest,
  type StreamedAnswer,
  type StreamedRequest,
} from './egress.ts';
import { failureOf } from './egress-failure.ts';
import { Guard, type Lookup, systemLookup } from './guard.ts';
import { proxyConnector } from './proxy-connector.ts';
import { readBody } from './read-body.ts';
import { readUrl } from './read-url.ts';

const CONNECT_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
const SILENCE_MS_MAX = 30_000;
const KEPT_MS_MAX = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const CONNECTIONS_MAX = 4;
const HOSTS_MAX = 100;

export interface EgressOptions {
  /** The forward proxy that everything goes through (`EGRESS_PROXY`), user info included. Default: none. */
  proxy?: string;
  /** The setting `egressAllow`, read for each request and each connection. */
  allow: () => readonly string[];
  /** Default: that of the system. */
  lookup?: Lookup;
  /** Certificates (PEM) to trust instead of Node's own, which `NODE_EXTRA_CA_CERTS` adds to. */
  authorities?: string;
  /** For one connection, TLS included. Default: 10 s. */
  connectMsMax?: number;
  /** Between parts of a response body, if the request has more time. Default: 30 s. */
  silenceMsMax?: number;
  /** To one host; further requests wait, within their own timeout. Default: 4. */
  connectionsMax?: number;
}

/** Outbound connections: restricted, bounded, with verified TLS, through the proxy if there is one. */
export function openEgress({
  proxy,
  allow,
  lookup = systemLookup,
  authorities,
  connectMsMax = CONNECT_MS_MAX,
  silenceMsMax = SILENCE_MS_MAX,
  connectionsMax = CONNECTIONS_MAX,
}: EgressOptions): Egress {
  const guard = new Guard(allow, lookup);
  // Said outright, so that no environment variable turns it off.
  const tls = { rejectUnauthorized: true, ...(authorities && { ca: authorities }) };
  const settings: ConnectionSettings = { connectMsMax, tls };
  const bounds: Bounds = { silenceMsMax, connectionsMax };
  if (!proxy) {
    return new GuardedEgress(directConnector(guard, settings), tls, allow, bounds, async () => {});
  }
  const { connect, close } = proxyConnector(new URL(proxy), guard, settings);
  return new GuardedEgress(connect, tls, allow, bounds, close);
}

type Bounds = Required<Pick<EgressOptions, 'silenceMsMax' | 'connectionsMax'>>;

class GuardedEgress implements Egress {
  /** Keeps the connections that were allowed by this setting. */
  private kept: { agent: Agent; allowed: string } | undefined;
  private isClosed = false;
  private retired: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connector: buildConnector.connector,
    private readonly tls: OutgoingConnection['tls'],
    private readonly allow: () => readonly string[],
    private readonly bounds: Bounds,
    private readonly closeConnector: () => Promise<void>,
  ) {}

  async request(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = readUrl(request.url);
    const { timeoutMs = REQUEST_MS_MAX, timeoutUntil = 'end', bytesMax = ANSWER_BYTES_MAX, signal } = request;
    const end = new AbortController();
    let isAnswering = false;
    const stop = () => end.abort(new EgressError('aborted', `the request to ${url.host} was aborted`));
    const timer = setTimeout(() => end.abort(tooLate(url.host, timeoutMs, isAnswering)), timeoutMs);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      const { statusCode, headers, body } = await this.send(request, url, end.signal);
      isAnswering = true;
      if (timeoutUntil === 'beginning') clearTimeout(timer);
      return { status: statusCode, headers: joined(headers), body: await readBody(body, bytesMax, url.host) };
    } catch (error) {
      throw failureOf(error, url.host) ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  async stream({ timeoutMs = REQUEST_MS_MAX, ...request }: StreamedRequest): Promise<StreamedAnswer> {
    const url = readUrl(request.url);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate(url.host, timeoutMs, false)), timeoutMs);
    try {
      const { statusCode, headers, body } = await this.send(request, url, late.signal);
      return {
        status: statusCode,
        headers: joined(headers),
        body: chunksOf(body, url.host),
        discard: () => body.on('error', () => {}).destroy(),
      };
    } catch (error) {
      throw failureOf(error, url.host) ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  connect({ host, port }: { host: string; port: number }): Promise<OutgoingConnection> {
    const to = { hostname: host, host: `${host}:${port}`, port: `${port}`, protocol: 'http:' };
    return new Promise((resolve, reject) =>
      this.connector(to, (...[error, socket]) =>
        error ? reject(error) : resolve({ socket: socket!, tls: this.tls }),
      ),
    );
  }

  private send(request: StreamedRequest, url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    signal.throwIfAborted();
    return this.agentFor(url.host).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: headersOf(request, url),
      body: request.body,
      signal,
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.retired, this.kept?.agent.close()]);
    await this.closeConnector();
  }

  /** Kept connections were allowed by the setting as it was: with another one all are made again. */
  private agentFor(host: string): Agent {
    if (this.isClosed)
      throw new EgressError('aborted', `no request was sent to ${host}: the service is stopping`);
    const allowed = JSON.stringify(this.allow());
    if (this.kept?.allowed !== allowed) {
      // It ends its own requests.
      this.retired = Promise.all([this.retired, this.kept?.agent.close()]);
      this.kept = { agent: this.newAgent(), allowed };
    }
    return this.kept.agent;
  }

  private newAgent(): Agent {
    return new Agent({
      connect: this.connector,
      connections: this.bounds.connectionsMax,
      maxOrigins: HOSTS_MAX,
      keepAliveTimeout: KEPT_MS_MAX,
      // The request's own clock bounds how long its answer takes to begin.
      headersTimeout: 0,
      bodyTimeout: this.bounds.silenceMsMax,
    });
  }
}

/** Names in lower case. TLS verifies the name in `host`, so that it is always the URL's; nothing here unpacks a body. */
const headersOf = (
  { headers = {} }: Pick<OutgoingRequest, 'headers'>,
  { host }: URL,
): Record<string, string> => ({
  'accept-encoding': 'identity',
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  host,
});

async function* chunksOf(body: AsyncIterable<Buffer>, who: string): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw failureOf(error, who) ?? error;
  }
}

const joined = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const tooLate = (host: string, ms: number, isAnswering: boolean): EgressError =>
  new EgressError(
    'timeout',
    isAnswering
      ? `${host} did not complete its response within ${ms} ms`
      : `${host} did not respond within ${ms} ms`,
  );
