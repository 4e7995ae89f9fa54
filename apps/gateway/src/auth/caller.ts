import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedInRequest } from './auth.guard.ts';

/** Who sends an upload or acts, and by which request. */
export interface Caller {
  credentialId: string;
  user: string;
  requestId: string;
}

/** The caller that the guard let in. */
export const CalledBy = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { principal, id } = context.switchToHttp().getRequest<SignedInRequest>();
  return { credentialId: principal.credentialId, user: principal.name, requestId: id };
});
