import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

/** A request to another system, over http or https. */
export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PATCH';
  /** Absolute; no user info in it. */
  url: string;
  /** `host` is always that of the URL. */
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Until `timeoutUntil`; 30 s if omitted. */
  timeoutMs?: number;
  /** The end of the exchange if omitted. From the beginning of the answer on, only a silence ends it. */
  timeoutUntil?: 'beginning' | 'end';
  /** Of the answer's body; 64 MiB if omitted. */
  bytesMax?: number;
  signal?: AbortSignal;
}

/** A request whose answer is read as it comes, however long it is. */
export type StreamedRequest = Omit<OutgoingRequest, 'timeoutMs' | 'timeoutUntil' | 'bytesMax' | 'signal'> & {
  /** Until the answer begins; 30 s if omitted. */
  timeoutMs?: number;
};

/** An answer of which the body is still to come: it is read to its end, or discarded. */
export interface StreamedAnswer extends Omit<OutgoingAnswer, 'body'> {
  /** Throws EgressError if it does not complete. */
  body: AsyncIterable<Buffer>;
  discard(): void;
}

export interface OutgoingAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Why there is no answer. `refused`: the service forbids the address (R-NET-1), or HTTP forbids a header; `address`:
 * the URL is invalid, or its name cannot be resolved; `network`: the host is unreachable, closed the connection or does
 * not use HTTP; `proxy`: the proxy failed.
 */
export type EgressFailure =
  | 'refused'
  | 'address'
  | 'network'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'tooLarge'
  | 'aborted';

/** There is no answer; the message says why, names the host and never a secret. */
export class EgressError extends Error {
  override name = 'EgressError';

  constructor(
    readonly failure: EgressFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A connection for another protocol than HTTP. */
export interface OutgoingConnection {
  /** Not encrypted; whoever has it closes it. */
  socket: Socket;
  /** For its encryption: certificates are verified. */
  tls: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>;
}

/** All requests that leave the service go through this (R-NET-3). Redirects are not followed. */
export interface Egress {
  /** @throws EgressError if there is no answer; any status is one */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** @throws EgressError if no answer begins; any status is one */
  stream(request: StreamedRequest): Promise<StreamedAnswer>;
  /** @throws EgressError if it cannot be reached; with a proxy, it is asked for the port by CONNECT */
  connect(to: { host: string; port: number }): Promise<OutgoingConnection>;
  close(): Promise<void>;
}
