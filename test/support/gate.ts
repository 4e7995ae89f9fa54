import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy of a server at a separate address, so that a test can disconnect the server, and break its connections. */
export class Gate {
  /** Asked with the bytes that the server sends: whether the connection breaks before the last of them. */
  tearsReply: (bytes: number) => boolean = () => false;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly answering = new Set<Socket>();

  private constructor(
    /** The server of later connections. */
    public target: URL,
    private readonly port: number,
  ) {}

  /** Shut at first: no listener. */
  static async before(url: string): Promise<Gate> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    return new Gate(new URL(url), port);
  }

  /** As the server's, at the gate. */
  get url(): string {
    const url = new URL(this.target);
    url.port = `${this.port}`;
    return url.href;
  }

  open(): Promise<void> {
    return this.listen((client) => {
      const server = connect(Number(this.target.port), this.target.hostname);
      this.keep(server);
      this.answering.add(server);
      client.on('close', () => server.destroy());
      server.on('close', () => {
        this.answering.delete(server);
        client.destroy();
      });
      client.pipe(server);
      server.on('data', (chunk) => {
        if (this.tearsReply(chunk.length)) client.end(chunk.subarray(0, -1), () => client.destroy());
        else client.write(chunk);
      });
    });
  }

  /** Existing connections stay open without responses; later ones work. */
  mute(): void {
    for (const server of this.answering) server.removeAllListeners('data').resume();
  }

  /** Breaks every connection there is. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Connections are taken, and nothing is ever answered. */
  silence(): Promise<void> {
    return this.listen((client) => client.resume());
  }

  async shut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }

  private async listen(onConnection: (client: Socket) => void): Promise<void> {
    await this.shut();
    this.server = createServer((client) => {
      this.keep(client);
      onConnection(client);
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
