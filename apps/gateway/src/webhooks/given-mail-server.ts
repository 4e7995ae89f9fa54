import { BadRequestException } from '@nestjs/common';

/** A mail server, and how to sign in there. */
export interface GivenMailServer {
  /** `smtp:` or `smtps:`. */
  url: string;
  /** Null: it requires none. */
  user: string | null;
  password: string | null;
}

/**
 * The mail server of a request, in the field `email`, over the stored one: a password goes to the mail server that it was given
 * for, and to no other.
 * @throws BadRequestException
 */
export function mailServerWith(
  before: GivenMailServer | null,
  { url, user = null, password: given }: { url: string; user?: string | null; password?: string },
): GivenMailServer {
  const isSame = before?.url === url && before.user === user;
  const password = given ?? (isSame ? before.password : null);
  if ((password === null) !== (user === null)) {
    throw new BadRequestException(
      'email.password must be the password of email.user at email.url: send both, or none of them',
    );
  }
  return { url, user, password };
}
