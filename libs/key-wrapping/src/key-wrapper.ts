/** A key management service (KMS) that wraps the secret of the site: stored alone, the wrapped secret reveals nothing. */
export interface KeyWrapper {
  /** Encrypts with the present version of the key. @throws KeyWrapperError */
  wrap(secret: Buffer): Promise<string>;
  /** Opens what an earlier version of the key has wrapped, too. @throws KeyWrapperError */
  unwrap(wrapped: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** A KMS does not wrap or unwrap: it is unreachable, or it refuses. The message contains no secret. */
export class KeyWrapperError extends Error {
  override name = 'KeyWrapperError';
}
