import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { KafkaJSConnectionError } from 'kafkajs';

interface Errors {
  KafkaJSConnectionError: new (message: string) => KafkaJSConnectionError;
}
const errors = createRequire(import.meta.url)('kafkajs/src/errors.js') as Errors;

/** What this file uses of a connection of kafkajs, which is opened again after each of its sockets. */
interface Connection {
  socket?: Socket;
  /** The reply that is being received, of which `bytesNeeded` bytes must arrive before it is looked at again. */
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  isConnected(): boolean;
  connect(): Promise<true>;
  send(request: unknown): Promise<unknown>;
}

type ConnectionClass = new (options: never) => Connection;

const REPLY_LENGTH_BYTES = 4;
/** What kafkajs listens to on a socket. */
const EVENTS = ['data', 'end', 'error', 'timeout'];

/**
 * A connection whose every socket begins with an empty buffer. That of kafkajs takes what a new socket brings for the
 * rest of the reply within which the old one broke, so that no later request is answered; it keeps a socket on which no
 * reply comes any more, because the machine at its other end is gone; it opens two if two requests find none; and one
 * that it could not open in time stays, and ends the requests of the next when it breaks at last.
 */
export function freshConnection(Original: ConnectionClass): ConnectionClass {
  return class extends Original {
    private connecting: Promise<true> | undefined;

    override async connect(): Promise<true> {
      if (this.isConnected()) return true;
      this.connecting ??= this.open().finally(() => {
        this.connecting = undefined;
      });
      return this.connecting;
    }

    override async send(request: unknown): Promise<unknown> {
      try {
        return await super.send(request);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'KafkaJSRequestTimeoutError') throw error;
        this.socket?.destroy(error);
        // After this error kafkajs tries another broker.
        throw new errors.KafkaJSConnectionError(error.message);
      }
    }

    private async open(): Promise<true> {
      abandon(this.socket);
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = REPLY_LENGTH_BYTES;
      try {
        return await super.connect();
      } catch (error) {
        abandon(this.socket);
        throw error;
      }
    }
  };
}

function abandon(socket: Socket | undefined): void {
  for (const event of EVENTS) socket?.removeAllListeners(event);
  socket?.on('error', () => undefined).destroy();
}
