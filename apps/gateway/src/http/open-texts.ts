import type { FastifyInstance } from 'fastify';
import type { TextOpener } from '#libs/sealing';

/** Opens the sealed texts of every response in JSON (ADR-0078); exports and streams open their own. */
export const openTexts = (fastify: FastifyInstance, opener: TextOpener): unknown =>
  fastify.addHook('onSend', async (_request, _reply, payload) =>
    typeof payload === 'string' ? opener.json(payload) : payload,
  );
