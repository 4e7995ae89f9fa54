import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came in. */
export interface Asked {
  /** `GET /api/v3/findings?limit=2` */
  request: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How one request is answered; `cut` ends the connection instead. */
export type Step =
  | { status?: number; headers?: Record<string, string>; body?: unknown; text?: string; stay?: boolean }
  | 'cut';

/** A server that answers each path as its script says, step by step, the last step for ever. */
export class ScriptedServer {
  readonly asked: Asked[] = [];
  private readonly held = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly script: Record<string, Step[]>,
  ) {}

  /** @param script by `METHOD /path`, without the query */
  static async start(script: Record<string, Step[]>): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server, { 'POST /api/v3/auth': tokens(), ...script });
    server.on('request', (request, response) => void scripted.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The requests, but for sign-ins. */
  get requests(): string[] {
    return this.asked.map(({ request }) => request).filter((request) => request !== 'POST /api/v3/auth');
  }

  get signIns(): number {
    return this.asked.length - this.requests.length;
  }

  /** Ends the answers that stay open. */
  cut(): void {
    for (const response of this.held) response.destroy();
    this.held.clear();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('latin1')) body += chunk;
    this.asked.push({ request: `${request.method} ${request.url}`, headers: request.headers, body });
    const steps = this.script[`${request.method} ${request.url!.split('?')[0]}`] ?? [{ status: 404 }];
    const step = steps.length > 1 ? steps.shift()! : steps[0]!;
    if (step === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers, body: answer, text, stay } = step;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.write(text ?? JSON.stringify(answer ?? {}));
    if (stay) this.held.add(response);
    else response.end();
  }
}

/** Each sign-in gets a token of its own. */
const tokens = (): Step[] =>
  Array.from({ length: 10 }, (_, i) => ({ body: { accessToken: `token-${i + 1}`, expiresIn: 3600 } }));
