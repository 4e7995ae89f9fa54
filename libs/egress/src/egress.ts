/** A request to another system, over http or https. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** Absolute; no user info in it. */
  url: string;
  /** `host` is always that of the URL. */
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For the whole exchange; 30 s where it is left out. */
  timeoutMs?: number;
  /** Of the answer's body; 64 MiB where it is left out. */
  bytesMax?: number;
  signal?: AbortSignal;
}

/** A request whose answer is read as it comes, however long it is. */
export type StreamedRequest = Omit<OutgoingRequest, 'timeoutMs' | 'bytesMax' | 'signal'> & {
  /** Until the answer begins; 30 s where it is left out. */
  timeoutMs?: number;
};

/** An answer of which the body is still to come: it is read to its end, or discarded. */
export interface StreamedAnswer extends Omit<OutgoingAnswer, 'body'> {
  /** Throws EgressError where it does not come to its end. */
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
 * Why there is no answer. `refused`: the rules of this service forbid the address (D27), or HTTP a header; `address`: the
 * URL is none, or its name leads nowhere; `network`: the host is out of reach, broke off or speaks no HTTP; `proxy`: it
 * is the proxy that stands in the way (D32).
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

/** The one way out of the service (D32). Redirects are answers as any other: they are not followed. */
export interface Egress {
  /** @throws EgressError where there is no answer; any status is one */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** @throws EgressError where no answer begins; any status is one */
  stream(request: StreamedRequest): Promise<StreamedAnswer>;
  close(): Promise<void>;
}
