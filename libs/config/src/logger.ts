import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { DestinationStream, Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'password', 'passwordHash', 'accessToken', 'secretKey', 'cookie'];

/** The logged fields of an error; errors of drivers contain connections with secrets. */
const errorFields = (error: Error & { code?: unknown }) => ({
  type: error.name,
  message: error.message,
  code: error.code,
  stack: error.stack,
});

/**
 * Structured log lines on standard error, so that standard output stays the program's own.
 * Fields that hold secrets are blanked, also one level down; callers still never pass bodies.
 * @param fields further ones of every line, asked for when it is written
 */
export const createLogger = (
  level: LogLevel,
  to: DestinationStream = destination(2),
  fields?: () => object,
): Logger =>
  pino(
    {
      level,
      base: null,
      ...(fields && { mixin: fields }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[redacted]',
      },
    },
    to,
  );

/** Nest's own messages as lines of the same log; its chatter about start-up counts as `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }
  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }
  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }
  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }
  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }
  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  private write(level: Exclude<LogLevel, 'silent'>, message: unknown, more: unknown[]): void {
    const details = more.filter((item) => typeof item === 'string');
    const context = details.at(-1);
    if (message instanceof Error) this.logger[level]({ context, err: message }, message.message);
    else this.logger[level]({ context, stack: stackOf(details) }, String(message));
  }
}

const stackOf = (details: string[]): string | undefined => details.find((item) => item.includes('\n    at '));
