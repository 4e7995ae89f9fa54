import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { connectKafka } from './connect-kafka.ts';
import './kafkajs.ts';

const require = createRequire(import.meta.url);
const PATIENCE_MS = 100;
const logger = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => logger };

interface Connection {
  socket: Socket;
  connect(): Promise<true>;
  send(request: unknown): Promise<unknown>;
  disconnect(): Promise<true>;
}
const Connection = require('kafkajs/src/network/connection.js') as new (options: object) => Connection;
const socketFactory = (require('kafkajs/src/network/socketFactory.js') as () => unknown)();
const { protocol } = require('kafkajs/src/protocol/requests/apiVersions/index.js') as {
  protocol: (version: object) => () => unknown;
};

/** A broker that takes connections and says nothing. */
class SilentBroker {
  readonly sockets: Socket[] = [];
  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.sockets.push(socket.on('error', () => undefined).resume()));
  }

  static async listen(): Promise<SilentBroker> {
    const server = createServer();
    const broker = new SilentBroker(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return broker;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('a connection to a broker that says nothing', () => {
  let brokers: SilentBroker[];
  beforeEach(async () => {
    brokers = [await SilentBroker.listen(), await SilentBroker.listen()];
  });
  afterEach(() => Promise.all(brokers.map((broker) => broker.close())));

  const connection = (options: object = {}) =>
    new Connection({
      ...{ host: '127.0.0.1', port: brokers[0]!.port, clientId: 'spec', logger, socketFactory },
      ...{ requestTimeout: PATIENCE_MS, connectionTimeout: PATIENCE_MS, ...options },
    });

  it('is closed with the first request that gets no reply, whose error has kafkajs try another broker', async () => {
    const one = connection();
    await one.connect();
    await expect(one.send(protocol({ version: 0 })())).rejects.toMatchObject({
      name: 'KafkaJSConnectionError',
      message: expect.stringContaining('timed out'),
    });
    expect(one.socket.destroyed).toBe(true);
  });

  it('leaves no socket open whose handshake did not end in time, and listens to none', async () => {
    const one = connection({ ssl: { rejectUnauthorized: false } });
    const sockets: Socket[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(one.connect()).rejects.toThrow('Connection timeout');
      sockets.push(one.socket);
    }
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
    expect(sockets.map((socket) => socket.listenerCount('data'))).toEqual([0, 0, 0]);
  });

  it('is opened once for all requests that find none', async () => {
    const one = connection();
    await Promise.all([one.connect(), one.connect(), one.connect()]);
    expect(brokers[0]!.sockets).toHaveLength(1);
    await one.disconnect();
  });

  it('is not the first of every part of a program', async () => {
    const kafka = connectKafka({ brokers: brokers.map(({ port }) => `127.0.0.1:${port}`) });
    const parts = Array.from({ length: 40 }, () => kafka.producer());
    const connecting = Promise.allSettled(parts.map((part) => part.connect()));
    await until('connections to both', () => brokers.every(({ sockets }) => sockets.length > 0));
    await Promise.all(brokers.map((broker) => broker.close()));
    await connecting;
    await Promise.all(parts.map((part) => part.disconnect()));
    brokers = [];
  });
});
