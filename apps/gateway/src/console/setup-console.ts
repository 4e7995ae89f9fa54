import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectFile } from '#libs/project-files';
import { consoleHeaders } from '../http/security-headers.ts';

/** Made by `npx vite build apps/console`. */
const FILES = fileURLToPath(projectFile('dist/apps/console/'));
const NONCE_BYTES = 16;
const NONCE_PLACEHOLDER = '{{nonce}}';
const YEAR_MS = 31_536_000_000;
/** None of them is a page, so that no nonce is anyone's. */
const FILE_HEADERS = consoleHeaders(randomBytes(NONCE_BYTES).toString('base64'));

/**
 * The console's own files under /app/, which anyone may read: they contain no data. Every other path under it is the
 * page itself, whose address selects its content. `/` redirects there.
 */
export async function setupConsole(fastify: FastifyInstance): Promise<void> {
  const page = await readFile(join(FILES, 'index.html'), 'utf8').catch(() => null);
  await fastify.register(fastifyStatic, {
    root: join(FILES, 'files'),
    prefix: '/app/files/',
    decorateReply: false,
    preCompressed: true,
    // Their names contain a hash of their content.
    immutable: true,
    maxAge: YEAR_MS,
    setHeaders: (reply) => void reply.headers(FILE_HEADERS),
  });
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) => {
    if (page === null) throw new NotFoundException('the console is not built: run npm run build');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply
      .headers({ ...consoleHeaders(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
  fastify.get('/', (_request, reply) => reply.redirect('/app/'));
  fastify.get('/app', sendPage);
  fastify.get('/app/*', sendPage);
}
