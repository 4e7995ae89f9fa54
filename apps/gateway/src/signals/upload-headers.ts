import { BadRequestException } from '@nestjs/common';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;
const WAIT_SECONDS_MAX = 60;

/**
 * The `Idempotency-Key` of an upload, null without one.
 * @throws BadRequestException if it is not 1 to 200 visible ASCII characters
 */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new BadRequestException('Idempotency-Key must be 1 to 200 visible ASCII characters');
}

/**
 * The seconds of `Prefer: wait=N` (RFC 7240), at most 60; null without one. A preference that makes no
 * sense is ignored, as the RFC requires.
 */
export function preferredWait(header: string | undefined): number | null {
  const seconds = Number(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(header ?? '')?.[1] ?? 0);
  return seconds === 0 ? null : Math.min(seconds, WAIT_SECONDS_MAX);
}
