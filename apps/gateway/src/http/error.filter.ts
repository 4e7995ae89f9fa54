import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';
import { httpThrottled } from '#libs/telemetry';
import { TokenRefusedException } from '../auth/access.ts';
import { type ErrorBody, errorBodyOf } from './error-body.ts';
import { RetryLaterException } from './http-errors.ts';

const PATH_CHARACTERS_MAX = 200;
const SERVICE_UNAVAILABLE = 503;

/** What is noted of a failed request. @param status of its answer */
export type NoteFailure = (request: FastifyRequest, error: unknown, status: number) => void;

/** Converts failed requests into responses, and logs a fault of the service, once. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly note: NoteFailure = () => {},
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const body = isUnknownRoute(error, request)
      ? errorBodyOf(new NotFoundException(`the route ${routeCalled(request)} does not exist`), request.id)
      : errorBodyOf(error, request.id);
    if (error instanceof RetryLaterException) httpThrottled.inc({ reason: error.reason });
    this.log(error, body, request);
    this.note(request, error, body.statusCode);
    if (reply.sent) return;
    if (error instanceof TokenRefusedException) reply.header('www-authenticate', 'Bearer');
    this.answer(reply, body);
  }

  /**
   * A fault is logged as an error; rejections while a dependency is unavailable are not, and polls of an orchestrator
   * are not logged.
   */
  private log(
    error: unknown,
    { statusCode, message }: ErrorBody,
    { id: requestId, url }: FastifyRequest,
  ): void {
    if (statusCode < 500) return;
    if (statusCode !== SERVICE_UNAVAILABLE) this.logger.error({ err: error, requestId }, 'request failed');
    else if (url.startsWith('/health/')) this.logger.debug({ requestId }, message);
    else this.logger.info({ requestId, reason: reasonOf(error) }, `request rejected: ${message}`);
  }

  /** A protocol with a form of errors of its own overrides it. */
  protected answer(reply: FastifyReply, body: ErrorBody): void {
    if (body.retryIn !== undefined) reply.header('retry-after', String(body.retryIn));
    void reply.status(body.statusCode).send(body);
  }
}

/** Details that the caller must not see: which file, which connection. */
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : undefined);

const isUnknownRoute = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof NotFoundException && request.is404;

const routeCalled = ({ method, url }: FastifyRequest): string =>
  `${method} ${(url.split('?')[0] ?? '').slice(0, PATH_CHARACTERS_MAX)}`;
