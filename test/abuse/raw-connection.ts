import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

const KEPT_CHARACTERS_MAX = 4_000_000;

/** A connection that sends any bytes, also bytes that a client library would not send. */
export class RawConnection {
  received = '';
  /** In ms of the monotonic clock; null while it is open. */
  endedAt: number | null = null;
  readonly begunAt = performance.now();

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      if (this.received.length < KEPT_CHARACTERS_MAX) this.received += bytes.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.endedAt = performance.now();
    });
  }

  /** @throws Error if it is not accepted */
  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Status of the first answer; NaN until it arrives. */
  get status(): number {
    return Number(this.received.slice(9, 12) || Number.NaN);
  }

  get secondsOpen(): number {
    return ((this.endedAt ?? performance.now()) - this.begunAt) / 1_000;
  }

  send(text: string | Buffer): void {
    if (this.socket.writable) this.socket.write(text);
  }

  stopReading(): void {
    this.socket.pause();
  }

  close(): void {
    this.socket.destroy();
  }
}

export interface ProbeAnswer {
  status: number;
  ms: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request on a new connection. */
export async function probe(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<ProbeAnswer> {
  const begun = performance.now();
  const asked = request(url, { method, headers, agent: false });
  asked.end(body);
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode, ms: performance.now() - begun, headers: response.headers, text };
}
