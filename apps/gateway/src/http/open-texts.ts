import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TextOpener } from '#libs/sealing';
import type { SignedInRequest } from '../auth/auth.guard.ts';

/**
 * Opens the sealed texts of every response in JSON (ADR-0078), if the request was let in with a token; exports and
 * streams open their own.
 */
export const openTexts = (fastify: FastifyInstance, opener: TextOpener): unknown =>
  fastify.addHook('onSend', async (request, _reply, payload) =>
    typeof payload === 'string' && isSignedIn(request) ? opener.json(payload) : payload,
  );

const isSignedIn = (request: FastifyRequest & Partial<SignedInRequest>): boolean =>
  request.access !== undefined;
