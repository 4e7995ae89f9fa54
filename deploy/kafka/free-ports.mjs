import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, which outgoing connections take: a broker that restarts must find its port free. */
const PORT_MIN = 15_000;
const PORT_MAX = 29_999;
const ATTEMPTS_MAX = 100;

/** Ports of 127.0.0.1 that are free now and unlikely to be taken while their broker is stopped. */
export async function freePorts(count) {
  const servers = [];
  for (let attempt = 0; servers.length < count; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error(`no ${count} free ports between ${PORT_MIN} and ${PORT_MAX}`);
    const server = await listening(PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN + 1)));
    if (server) servers.push(server);
  }
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

async function listening(port) {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
