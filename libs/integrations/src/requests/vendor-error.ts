/**
 * Why a vendor's response cannot be used. `network`: no response. `timeout`: none in time. `credentials`: they or the token were rejected.
 * `scope`: the credentials may not read this. `limit`: too many requests. `answer`: it has an unexpected form.
 * `request`: the vendor rejects the request. `tooLarge`: the response has more bytes than this service accepts.
 */
export type VendorFailure =
  | 'network'
  | 'timeout'
  | 'credentials'
  | 'scope'
  | 'limit'
  | 'answer'
  | 'request'
  | 'tooLarge';

/** The message names what failed (`hosts page 3`), says why, and never a secret. */
export class VendorError extends Error {
  override name = 'VendorError';

  constructor(
    /** `token`, `hosts page 3`. */
    readonly what: string,
    readonly failure: VendorFailure,
    /** Only the reason, for a list that already names `what`. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${what}: ${reason}`, options);
  }
}
