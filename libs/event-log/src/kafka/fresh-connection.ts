import type { Socket } from 'node:net';

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

/**
 * A connection whose every socket begins with an empty buffer. That of kafkajs takes what a new socket brings for the
 * rest of the reply within which the old one broke, so that no later request is answered; it keeps a socket on which no
 * reply comes any more, because the machine at its other end is gone; and it opens two if two requests find none.
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
        const isUnanswered = error instanceof Error && error.name === 'KafkaJSRequestTimeoutError';
        if (isUnanswered) this.socket?.destroy(error);
        throw error;
      }
    }

    private open(): Promise<true> {
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = REPLY_LENGTH_BYTES;
      return super.connect();
    }
  };
}
