/** A request, independent of the framework. */
export interface ReceivedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** JSON, or the fields of a form; null if there is none. */
  body: unknown;
  /** Parts of the path that its pattern names. */
  parts: Record<string, string>;
  /** Of the client. */
  address: string;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A request that is answered with an error, in the vendor's own form. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
