import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import { RowsMissingException, ScopeMissingException } from './access.ts';
import type { SignedInRequest } from './auth.guard.ts';

/** An answer that listens to the signal itself has this long to say how far it came. */
const FAREWELL_MS = 200;

/**
 * Ends every answer with the access of its request: 401 while none has begun, and its connection is cut after that. The
 * 401 to a request that has begun to act says so.
 * A body that is still on its way then reaches no handler. A scope that the handler misses, or rows, are a security event,
 * as at the guard.
 */
@Injectable()
export class AccessInterceptor implements NestInterceptor {
  constructor(private readonly events: SecurityEvents) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Partial<SignedInRequest>>();
    const { access } = request;
    if (!access) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return new Observable((answer) => {
      access.onEnd((end) => {
        setTimeout(() => {
          // Outlives the handler, as a stream does.
          cut(reply);
          answer.error(access.hasActed ? end.ofActing() : end);
        }, FAREWELL_MS);
      });
      return next.handle().subscribe({
        next: (value) => answer.next(value),
        error: (error) => {
          this.noteRefusal(request as SignedInRequest, error);
          answer.error(error);
        },
        complete: () => answer.complete(),
      });
    });
  }

  private noteRefusal({ access, token, ip: address, id: requestId }: SignedInRequest, error: unknown) {
    const reason = reasonOf(error);
    if (reason === null) return;
    const user = access.principal.name;
    this.events.note({ kind: 'token', outcome: 'refused', reason, user, token, address, requestId });
  }
}

function reasonOf(error: unknown): 'scope' | 'rows' | null {
  if (error instanceof ScopeMissingException) return 'scope';
  return error instanceof RowsMissingException ? 'rows' : null;
}

function cut({ raw }: FastifyReply): void {
  if (raw.headersSent && !raw.writableEnded) raw.destroy();
}
