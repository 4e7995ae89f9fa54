import {
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { parseJson } from '#libs/contracts';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { ByteBudget } from './byte-budget.ts';
import { BODY_BYTES_MAX, CONNECTIONS_MAX, MEGABYTE, PUBLIC_BODY_BYTES_MAX } from './http-limits.ts';
import { readBody } from './read-body.ts';
import { whenClosed } from './when-closed.ts';

/** Bodies held in memory at a time, over all requests with a token; a signal is mostly 2 KB. */
const HELD_BYTES_MAX = 64 * MEGABYTE;
/** Of requests without a token: a body of each connection, so that no client can use the room of another one. */
const PUBLIC_HELD_BYTES_MAX = CONNECTIONS_MAX * PUBLIC_BODY_BYTES_MAX;
const BODYLESS = new Set(['GET', 'HEAD', 'OPTIONS']);
const BODY_FORM = Symbol('BodyForm');

/** `json`: parsed; `bytes`: as sent, of any type; `unread`: the route reads it itself, or ignores it. */
export type BodyForm = 'json' | 'bytes' | 'unread';

/** How a route wants its body; without it: `json`. */
export const ReadBodyAs = (form: BodyForm) => SetMetadata(BODY_FORM, form);

/**
 * Reads bodies after the guards and before the pipes, so that a client without a token cannot fill memory: bodies of
 * public routes have separate, smaller limits.
 * The declared content type is not looked at: real senders leave it out or get it wrong.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly budget = new ByteBudget(HELD_BYTES_MAX);
  private readonly publicBudget = new ByteBudget(PUBLIC_HELD_BYTES_MAX);

  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest & Partial<SignedInRequest>>();
    const form = this.reflector.get<BodyForm | undefined>(BODY_FORM, context.getHandler()) ?? 'json';
    if (form === 'unread' || BODYLESS.has(request.method)) return next.handle();
    const [budget, bytesMax] = request.access
      ? [this.budget, BODY_BYTES_MAX]
      : [this.publicBudget, PUBLIC_BODY_BYTES_MAX];
    const held = budget.hold();
    // After the end of the access, no handler runs, and nothing subscribes to its end.
    whenClosed(context.switchToHttp().getResponse<FastifyReply>(), held.release);
    try {
      const bytes = await readBody(request.raw, bytesMax, held);
      request.body = form === 'bytes' ? bytes : jsonOf(bytes);
    } catch (error) {
      held.release();
      throw error;
    }
    return next.handle().pipe(finalize(held.release));
  }
}

/** An empty body is an empty object: routes check their required fields. */
function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const parsed = parseJson(bytes);
  if (!parsed.ok) throw new BadRequestException(parsed.message);
  if (parsed.value === null) throw new BadRequestException('the body must be a JSON object or empty');
  return parsed.value;
}
