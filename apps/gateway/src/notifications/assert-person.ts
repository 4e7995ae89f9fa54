import { ForbiddenException } from '@nestjs/common';
import { tokenUser } from '#libs/sealing';
import type { Caller } from '../auth/caller.ts';

/** Credentials and users of identity providers are notified. @throws ForbiddenException for an API token */
export function assertPerson({ user }: Pick<Caller, 'user'>): void {
  if (!user.startsWith(tokenUser(''))) return;
  throw new ForbiddenException('API tokens have no notifications: sign in as a user');
}
