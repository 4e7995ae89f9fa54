import type { FastifyReply } from 'fastify';

/**
 * Runs `done` once: when the answer was sent or its connection was closed, at once if that has happened already. The
 * event alone comes too early for what begins after a wait.
 */
export function whenClosed({ raw }: Pick<FastifyReply, 'raw'>, done: () => void): void {
  if (raw.destroyed) done();
  else raw.once('close', done);
}
