import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';
import { httpThrottled } from '#libs/telemetry';
import { TokenRefusedException } from '../auth/access.ts';
import { type ErrorBody, errorBodyOf } from './error-body.ts';
import { RetryLaterException } from './http-errors.ts';

const PATH_CHARACTERS_MAX = 200;

/** The one place where a failed request becomes an answer (D26), and where a fault of the service is logged, once. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const body = isUnknownRoute(error, request)
      ? errorBodyOf(new NotFoundException(`no such route: ${routeCalled(request)}`), request.id)
      : errorBodyOf(error, request.id);
    if (error instanceof RetryLaterException) httpThrottled.inc({ reason: error.reason });
    if (body.statusCode >= 500) this.logger.error({ err: error, requestId: request.id }, 'request failed');
    if (reply.sent) return;
    if (error instanceof TokenRefusedException) reply.header('www-authenticate', 'Bearer');
    this.answer(reply, body);
  }

  private answer(reply: FastifyReply, body: ErrorBody): void {
    if (body.retryIn !== undefined) reply.header('retry-after', String(body.retryIn));
    void reply.status(body.statusCode).send(body);
  }
}

const isUnknownRoute = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof NotFoundException && request.is404;

const routeCalled = ({ method, url }: FastifyRequest): string =>
  `${method} ${(url.split('?')[0] ?? '').slice(0, PATH_CHARACTERS_MAX)}`;
