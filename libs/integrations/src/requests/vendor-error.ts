/**
 * Why a vendor's answer is of no use. `network`: none came. `credentials`: refused, or the token was. `scope`: the
 * credentials may not read this. `limit`: too many requests. `answer`: it was not what it should be. `request`: the
 * vendor refuses what was asked. `tooLarge`: the answer has more bytes than this service takes.
 */
export type VendorFailure = 'network' | 'credentials' | 'scope' | 'limit' | 'answer' | 'request' | 'tooLarge';

/** The message names what failed (`hosts page 3`), says why, and never a secret. */
export class VendorError extends Error {
  override name = 'VendorError';

  constructor(
    /** `token`, `hosts page 3`. */
    readonly what: string,
    readonly failure: VendorFailure,
    /** The reason alone, for a list that names `what` beside it. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${what}: ${reason}`, options);
  }
}
