import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Connections that have not begun a request end with the server. Node closes those between two requests by itself, and
 * would wait for these until they time out.
 */
export function closeSilentConnections(fastify: FastifyInstance): void {
  const silent = new Set<Socket>();
  fastify.server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  fastify.server.on('request', ({ socket }) => silent.delete(socket));
  fastify.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
  });
}
