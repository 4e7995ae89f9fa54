import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Egress, openEgress } from '#libs/egress';

/** What the vendor does with one request. */
export type Turn = (response: ServerResponse, request: IncomingMessage, body: string) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Half of an answer, then nothing. */
export const cut: Turn = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"half":', () => response.destroy());
};

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A vendor that answers as it is told, one turn a request, over real connections. */
export class ScriptedVendor {
  readonly asked: Asked[] = [];
  readonly egress: Egress = openEgress({ allow: () => ['127.0.0.1'] });
  private turns: Turn[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(): Promise<ScriptedVendor> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedVendor(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What comes next; the last turn is repeated. */
  plays(...turns: Turn[]): this {
    this.turns = turns;
    this.asked.length = 0;
    return this;
  }

  async stop(): Promise<void> {
    await this.egress.close();
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url: path = '', headers } = request;
    // No word but what the turn says: the time is the test's.
    response.sendDate = false;
    this.asked.push({ method, path, headers, body });
    const turn = this.turns.length > 1 ? this.turns.shift()! : this.turns[0]!;
    turn(response, request, body);
  }
}
