import { RawConnection } from './raw-connection.ts';

const BYTE_INTERVAL_MS = 1_000;
const OPENED_AT_ONCE = 100;

/** Connections that each send one byte a second, for as long as they are let. */
export class SlowClients {
  private readonly dripping: NodeJS.Timeout;

  private constructor(readonly connections: RawConnection[]) {
    this.dripping = setInterval(() => {
      for (const connection of connections) connection.send('x');
    }, BYTE_INTERVAL_MS);
  }

  /** @param beginnings what each begins with, one a connection */
  static async begin(port: number, beginnings: string[]): Promise<SlowClients> {
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

  get areOver(): boolean {
    return this.connections.every(({ endedAt }) => endedAt !== null);
  }

  /** The longest that one of them was open. */
  get secondsMax(): number {
    return Math.max(...this.connections.map(({ secondsOpen }) => secondsOpen));
  }

  /** How often each status was answered. */
  get statuses(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status } of this.connections) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  stop(): void {
    clearInterval(this.dripping);
    for (const connection of this.connections) connection.close();
  }
}

/** A request that never comes to the end of its headers. */
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
