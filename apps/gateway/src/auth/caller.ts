import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Access } from './access.ts';
import type { SignedInRequest } from './auth.guard.ts';
import type { Scope } from './scopes.ts';

/** Who sends an upload or acts, and by which request. */
export interface Caller {
  credentialId: string;
  user: string;
  requestId: string;
  /** Waits and streams for the caller end with its signal. */
  access: Pick<Access, 'signal' | 'close'>;
}

/** The caller that the guard let in. */
export const CalledBy = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { access, id } = context.switchToHttp().getRequest<SignedInRequest>();
  const { credentialId, name } = access.principal;
  return { credentialId, user: name, requestId: id, access };
});

/** The scopes of the caller: nobody grants others more than that. */
export const CallerScopes = createParamDecorator(
  (_: unknown, context: ExecutionContext): ReadonlySet<Scope> =>
    context.switchToHttp().getRequest<SignedInRequest>().access.scopes,
);
