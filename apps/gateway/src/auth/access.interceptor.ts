import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { delay, fromEvent, map, type Observable, takeUntil } from 'rxjs';
import type { SignedInRequest } from './auth.guard.ts';

/** An answer that listens to the signal itself has this long to say how far it came. */
const FAREWELL_MS = 200;

/**
 * Ends every answer with the access of its request: 401 while none has begun, and its connection is cut after that.
 * A body that is still on its way then reaches no handler.
 */
@Injectable()
export class AccessInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { access } = context.switchToHttp().getRequest<Partial<SignedInRequest>>();
    if (!access) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const ended = fromEvent(access.signal, 'abort').pipe(delay(FAREWELL_MS));
    // Outlives the handler, as a stream does.
    const cutting = ended.subscribe(() => cut(reply));
    reply.raw.once('close', () => cutting.unsubscribe());
    const refused = ended.pipe(
      map(() => {
        throw access.signal.reason;
      }),
    );
    return next.handle().pipe(takeUntil(refused));
  }
}

function cut({ raw }: FastifyReply): void {
  if (raw.headersSent && !raw.writableEnded) raw.destroy();
}
