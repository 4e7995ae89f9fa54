import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Certificate } from './certificates.ts';

/** A forward proxy that supports only CONNECT, and connects to the target of the test. */
export class ForwardProxy {
  /** The requested targets, as `host:port`, in order. */
  readonly asked: string[] = [];
  /** Headers of those requests. */
  readonly headers: IncomingMessage['headers'][] = [];
  /** Actual address of each target: a port of this machine, or the status of its rejection; unset: no response. */
  route: (target: string) => { port: number } | { status: number } | undefined = () => undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly scheme: string,
  ) {
    server.on('connection', (socket: Socket) => this.track(socket));
    server.on('connect', ({ url, headers }: IncomingMessage, socket: Socket, head: Buffer) => {
      this.asked.push(url!);
      this.headers.push(headers);
      this.lead(this.route(url!), socket, head);
    });
  }

  /** On a port that the system chooses; with a certificate it speaks TLS itself. */
  static async listen(certificate?: Certificate): Promise<ForwardProxy> {
    const server = certificate ? createSecureServer(certificate) : createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ForwardProxy(server, certificate ? 'https' : 'http');
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param userInfo such as `ana:secret@` */
  url(userInfo = ''): string {
    return `${this.scheme}://${userInfo}${this.host}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private lead(way: ReturnType<ForwardProxy['route']>, client: Socket, head: Buffer): void {
    if (!way) return;
    if ('status' in way) {
      client.end(`HTTP/1.1 ${way.status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = this.track(connect(way.port, '127.0.0.1'));
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      target.write(head);
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
  }

  private track(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => {});
    return socket.once('close', () => this.sockets.delete(socket));
  }
}
