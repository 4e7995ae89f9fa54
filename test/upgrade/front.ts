import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One address for clients, in front of whichever gateway it leads to now: as a load balancer is. */
export class Front {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {
    server.on('connection', (socket) => this.forward(socket));
  }

  static async start(target: string): Promise<Front> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Front(server, new URL(target));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The target of new connections; open ones stay until one side ends them. */
  leadTo(target: string): void {
    this.target = new URL(target);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    const { hostname, port } = this.target;
    const gateway = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      this.sockets.add(socket);
      socket.pipe(other);
      // An end that was no error has been passed on by the pipe.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroySoon();
      });
    }
  }
}
