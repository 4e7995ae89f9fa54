import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Kafka's number for the request that stores records. */
const PRODUCE = 0;
/** A request begins with its length, its API key, a version and its correlation id. */
const LENGTH_BYTES = 4;
const REQUEST_HEADER_BYTES = 12;
const REPLY_HEADER_BYTES = 8;

/**
 * Stands between Kafka clients and a broker that advertises the proxy's address, and loses replies at will: the broker
 * has stored the records, the client cannot know.
 */
export class KafkaProxy {
  /** The broker's own port; set it once that is known. */
  target = 0;
  /** Asked at each reply to a produce request: whether the connection breaks instead of bringing it. */
  losesReply: () => boolean = () => false;
  /** Replies lost so far. */
  lostReplies = 0;
  /** Asked with the bytes that a broker sends: whether the connection breaks before the last of them. */
  tearsReply: (bytes: number) => boolean = () => false;
  private isFrozen = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => this.pipe(client));
  }

  /** Listens on a port that the system chooses. */
  static async listen(): Promise<KafkaProxy> {
    const server = createServer();
    const proxy = new KafkaProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection there is. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Nothing passes any more on the connections there are, without an error: the machine of the broker is gone. */
  strand(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** Nothing passes, without an error, until `thaw`. */
  freeze(): void {
    this.isFrozen = true;
    this.strand();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private pipe(client: Socket): void {
    const broker = connect(this.target, '127.0.0.1');
    client.pause();
    broker.once('connect', () => {
      if (!this.isFrozen) client.resume();
    });
    const produced = new Set<number>();
    for (const [from, to] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
    const requests = framesOf(REQUEST_HEADER_BYTES, (header) => {
      if (header.readInt16BE(LENGTH_BYTES) === PRODUCE) produced.add(header.readInt32BE(8));
      return true;
    });
    const replies = framesOf(REPLY_HEADER_BYTES, (header) => !this.isLost(produced, header));
    client.on('data', (chunk: Buffer) => {
      requests(chunk);
      broker.write(chunk);
    });
    broker.on('data', (chunk: Buffer) => {
      if (this.tearsReply(chunk.length)) client.end(chunk.subarray(0, -1), () => client.destroy());
      else if (replies(chunk)) client.write(chunk);
      else client.destroy();
    });
  }

  private isLost(produced: Set<number>, header: Buffer): boolean {
    const isProduced = produced.delete(header.readInt32BE(LENGTH_BYTES));
    if (!isProduced || !this.losesReply()) return false;
    this.lostReplies++;
    return true;
  }
}

/** Follows a stream of length-prefixed frames; returns whether `onHeader` agreed to every frame that a chunk completes. */
function framesOf(headerBytes: number, onHeader: (header: Buffer) => boolean): (chunk: Buffer) => boolean {
  let pending = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let isAgreed = true;
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    pending = Buffer.concat([pending, chunk.subarray(skipped)]);
    while (pending.length >= headerBytes) {
      isAgreed = onHeader(pending) && isAgreed;
      const frameBytes = LENGTH_BYTES + pending.readInt32BE(0);
      skip = Math.max(0, frameBytes - pending.length);
      pending = pending.subarray(Math.min(frameBytes, pending.length));
    }
    return isAgreed;
  };
}
