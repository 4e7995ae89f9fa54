import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '#libs/config';
import { answerAndClose, type SocketAnswer } from './answer-socket.ts';
import { CONNECTIONS_MAX, PACE } from './http-limits.ts';

/** Connections above the bound that may be open until they are rejected. */
const EXCESS_MAX = 512;
const LOOK_INTERVAL_MS = 1_000;
/** If a look is so much late, the service was blocked, not its clients. */
const LATE_MS = 1_000;
const LOG_INTERVAL_MS = 60_000;

interface Connection {
  /** Start of the current phase: the connection, its request, or the pause after one. On the monotonic clock. */
  since: number;
  /** Null between requests. */
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** Bytes received before the request began. */
  bytesBefore: number;
  /** When the service was first seen to wait for more of the body; null while it does not. */
  awaitedSince: number | null;
  /** Whether a request has ever begun. */
  isUsed: boolean;
  /** Whether it is above the limit: its request gets the response 503. */
  isExcess: boolean;
}

export interface ConnectionLimits {
  connectionsMax: number;
  pace: { afterMs: number; bytesPerSecond: number };
}

/**
 * Limits the connections of a server so that no client can exhaust them. At the limit, a new connection replaces the
 * connection that has kept the service waiting for its client longest. Connections with a request in process are kept;
 * if all are, the new connection gets a 503. Bodies that arrive too slowly are ended.
 */
export class Connections {
  /** In the order of `since`. */
  private readonly open = new Map<Socket, Connection>();
  private readonly counts = { madeRoom: 0, refused: 0, slow: 0 };
  private readonly limits: ConnectionLimits;
  private lookedAt = performance.now();
  private loggedAt = -LOG_INTERVAL_MS;

  constructor(
    server: Server,
    private readonly logger: Logger,
    limits: Partial<ConnectionLimits> = {},
  ) {
    this.limits = { connectionsMax: CONNECTIONS_MAX, pace: PACE, ...limits };
    // Connections that arrive faster than responses can be sent are closed without one.
    server.maxConnections = this.limits.connectionsMax + EXCESS_MAX;
    server.on('connection', (socket: Socket) => this.admit(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.begin(request, response),
    );
    server.on('timeout', (socket: Socket) => this.endSilent(socket));
    const looking = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(looking));
  }

  get size(): number {
    return this.open.size;
  }

  /** Whether the service worked for all the others when this one came. */
  isExcess(socket: Socket): boolean {
    return this.open.get(socket)?.isExcess ?? false;
  }

  /** Whether an answer has started and not ended. */
  isAnswered(socket: Socket): boolean {
    return this.open.get(socket)?.response?.headersSent ?? false;
  }

  /**
   * Closes connections that have not begun a request: Node would wait until they time out. Node itself closes
   * connections that are between two requests.
   */
  closeUnused(): void {
    for (const [socket, { isUsed }] of this.open) if (!isUsed) socket.destroy();
  }

  private admit(socket: Socket): void {
    const isExcess = this.open.size >= this.limits.connectionsMax && !this.makeRoom();
    if (isExcess) this.counts.refused += 1;
    const nothing = { request: null, response: null, bytesBefore: 0, awaitedSince: null, isUsed: false };
    this.open.set(socket, { since: performance.now(), ...nothing, isExcess });
    socket.once('close', () => this.open.delete(socket));
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (!connection) return;
    const bytesBefore = socket.bytesRead;
    this.change(socket, connection, { request, response, bytesBefore, awaitedSince: null, isUsed: true });
    response.once('close', () => {
      // The next request may have begun already.
      if (connection.response === response)
        this.change(socket, connection, { request: null, response: null });
    });
  }

  /** Goes to the end of the order. */
  private change(socket: Socket, connection: Connection, to: Partial<Connection>): void {
    Object.assign(connection, to, { since: performance.now() });
    if (this.open.delete(socket)) this.open.set(socket, connection);
  }

  /** Returns whether there was one that could be closed. */
  private makeRoom(): boolean {
    for (const [socket, connection] of this.open) {
      if (!waitsForClient(socket, connection)) continue;
      this.counts.madeRoom += 1;
      this.end(socket, connection, {
        status: 408,
        message: `all ${this.limits.connectionsMax} connections are in use, and this connection was idle for the longest time`,
      });
      return true;
    }
    return false;
  }

  private look(): void {
    const now = performance.now();
    const isLate = now - this.lookedAt > LOOK_INTERVAL_MS + LATE_MS;
    this.lookedAt = now;
    if (!isLate) this.endSlow(now);
    this.logRejections(now);
  }

  private endSlow(now: number): void {
    const { afterMs, bytesPerSecond } = this.limits.pace;
    for (const [socket, connection] of this.open) {
      connection.awaitedSince = isBodyAwaited(connection) ? (connection.awaitedSince ?? now) : null;
      const ms = now - (connection.awaitedSince ?? now);
      const bytes = socket.bytesRead - connection.bytesBefore;
      if (ms < afterMs || bytes >= (ms / 1_000) * bytesPerSecond) continue;
      this.counts.slow += 1;
      this.end(socket, connection, {
        status: 408,
        message: `the body arrives too slowly: send at least ${bytesPerSecond} bytes per second after the first ${afterMs / 1_000} seconds`,
      });
    }
  }

  /** The service may need longer for a request than a client may be silent: that is not the client's fault. */
  private endSilent(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection || waitsForClient(socket, connection)) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  }

  /** An answer that has begun is cut off; one that was sent whole needs no further. */
  private end(socket: Socket, { response, isUsed }: Connection, answer: SocketAnswer): void {
    this.open.delete(socket);
    const isAwaited = response ? !response.headersSent : !isUsed;
    if (isAwaited) answerAndClose(socket, answer);
    else socket.destroy();
  }

  private logRejections(now: number): void {
    const { madeRoom, refused, slow } = this.counts;
    if (madeRoom + refused + slow === 0 || now - this.loggedAt < LOG_INTERVAL_MS) return;
    this.logger.warn(
      { madeRoom, refused, slow, open: this.open.size },
      'connections closed: idle connections, connections above the limit and connections with slow bodies',
    );
    this.loggedAt = now;
    Object.assign(this.counts, { madeRoom: 0, refused: 0, slow: 0 });
  }
}

/** The service waits for its client to send or to receive data. */
const waitsForClient = (socket: Socket, connection: Connection): boolean =>
  connection.request === null || isBodyAwaited(connection) || socket.writableLength > 0;

/** Only while the service reads it: a body may also wait for the service. */
const isBodyAwaited = ({ request }: Connection): boolean =>
  request !== null && !request.complete && request.readableFlowing === true;
