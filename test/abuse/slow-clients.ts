import { RawConnection } from './raw-connection.ts';

const BYTE_INTERVAL_MS = 1_000;
const OPENED_AT_ONCE = 100;

/** Connections that each send one byte per second until the server closes them. */
export class SlowClients {
  private readonly sending: NodeJS.Timeout;

  private constructor(readonly connections: RawConnection[]) {
    const sendAll = () => {
      for (const connection of connections) connection.send('x');
    };
    // After what has arrived is read: a byte to a closed connection is answered with a reset, which discards a 408.
    this.sending = setInterval(() => setImmediate(sendAll), BYTE_INTERVAL_MS);
  }

  /** @param beginnings the first bytes of each connection */
  static async start(port: number, beginnings: string[]): Promise<SlowClients> {
    const open = async (beginning: string) => {
      const connection = await RawConnection.open(port);
      connection.send(beginning);
      return connection;
    };
    const connections: RawConnection[] = [];
    while (connections.length < beginnings.length) {
      const next = beginnings.slice(connections.length, connections.length + OPENED_AT_ONCE);
      connections.push(...(await Promise.all(next.map(open))));
    }
    return new SlowClients(connections);
  }

  get areClosed(): boolean {
    return this.connections.every(({ endedAt }) => endedAt !== null);
  }

  /** The longest time that a connection was open. */
  get secondsMax(): number {
    return Math.max(...this.connections.map(({ secondsOpen }) => secondsOpen));
  }

  /** The number of responses by status. */
  get statuses(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status } of this.connections) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  stop(): void {
    clearInterval(this.sending);
    for (const connection of this.connections) connection.close();
  }
}

/** A request whose headers never end. */
export const SLOW_HEADERS = 'POST /api/v3/signals HTTP/1.1\r\nhost: x\r\nx-slow: ';

const withBody = (path: string, token: string, bytes: number, more: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${token}\r\ncontent-length: ${bytes}\r\n${more}`;

export const slowSignal = (token: string): string => withBody('/api/v3/signals', token, 1_048_576, '\r\n{');

export const slowZip = (token: string): string =>
  withBody(
    '/api/v3/signals/zip',
    token,
    5_242_880,
    'content-type: multipart/form-data; boundary=b\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="s.zip"\r\n\r\nPK\x03\x04',
  );
