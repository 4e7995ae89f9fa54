import type { FastifyInstance } from 'fastify';
import { Refusal } from './answer.ts';

/** Clients name their JSON in several ways, or name a type if there is no body. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) => {
    done(null, new URLSearchParams(text as string));
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => {
    try {
      done(null, text === '' ? null : JSON.parse(text as string));
    } catch {
      done(new Refusal(400, 'The body is no JSON.'));
    }
  });
}
