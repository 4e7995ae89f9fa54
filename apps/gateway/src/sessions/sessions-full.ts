import { UnavailableException } from '../http/http-errors.ts';

/** 503 to a sign-in while the site has its maximum of sessions. */
export class SessionsFull extends UnavailableException {
  readonly reason = 'sessionsFull';

  constructor(max: number) {
    super(`the limit of ${max} sessions is reached: retry later`);
  }
}
