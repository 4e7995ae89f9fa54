import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { Terminal } from '../terminal.ts';

/** What the simulated service answers to one upload: `cut` drops the connection without an answer. */
export type Scripted = 'cut' | { status: number; body: unknown; headers?: Record<string, string> };

export interface ReceivedZip {
  idempotencyKey: string | undefined;
  authorization: string | undefined;
  url: string;
  zip: Buffer;
}

/**
 * A stand-in for the service on loopback, as far as the command line talks to it: signs in, answers uploads by script
 * and with a receipt once the script is over, and tells every upload folded at the second look.
 */
export class SimulatedService {
  readonly signIns: (string | undefined)[] = [];
  readonly received: ReceivedZip[] = [];
  readonly script: Scripted[] = [];
  /** Answers of GET /api/v3/uploads/:id before the good ones. */
  readonly statusScript: Scripted[] = [];
  /** Answers of POST /api/v3/auth before the good ones. */
  readonly authScript: Scripted[] = [];
  /** Greatest number of requests under way at once. */
  concurrentMax = 0;
  private underWay = 0;
  private readonly looks = new Map<string, number>();
  private readonly server = createServer((request, response) => {
    this.concurrentMax = Math.max(this.concurrentMax, ++this.underWay);
    response.on('close', () => this.underWay--);
    this.answer(request, response).catch((error: Error) => response.destroy(error));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', headers } = request;
    if (url === '/api/v3/auth') {
      this.signIns.push(headers.authorization);
      const token = { accessToken: `token-${this.signIns.length}`, status: 'success', expiresIn: 3600 };
      return this.reply(response, this.authScript.shift() ?? { status: 200, body: token });
    }
    if (url.startsWith('/api/v3/signals/zip')) {
      const form = await new Response(Buffer.concat(chunks), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      const zip = Buffer.from(await (form.get('file') as File).arrayBuffer());
      const { authorization } = headers;
      this.received.push({
        url,
        zip,
        authorization,
        idempotencyKey: headers['idempotency-key'] as string | undefined,
      });
      return this.reply(response, this.script.shift() ?? { status: 200, body: this.receipt() });
    }
    const status = this.statusScript.shift() ?? {
      status: 200,
      body: this.status(url.split('/').at(-1) ?? ''),
    };
    return this.reply(response, status);
  }

  private receipt() {
    const uploadId = `upload-${this.received.length}`;
    const none = { ignored: 0, rejected: 0, errors: [], warnings: [] };
    return { success: true, message: 'stored', uploadId, accepted: 3, ...none };
  }

  private status(id: string) {
    const looks = (this.looks.get(id) ?? 0) + 1;
    this.looks.set(id, looks);
    const done = looks > 1;
    const outcome = {
      created: 2,
      updated: 0,
      unchanged: 0,
      retired: 0,
      assetsCreated: 1,
      assetsUpdated: 0,
      ignored: { expired: 1 },
    };
    return {
      id,
      accepted: 3,
      folded: done ? 3 : 1,
      done,
      outcome,
      merged: [],
      unrecognisedTags: ['team'],
      warnings: [],
    };
  }

  private reply(response: ServerResponse, scripted: Scripted): void {
    if (scripted === 'cut') {
      response.destroy();
      return;
    }
    response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers });
    response.end(JSON.stringify(scripted.body));
  }
}

/** A terminal that keeps what is written to it. */
export function recordingTerminal(env: Terminal['env']): Terminal & { out: () => string; err: () => string } {
  const [stdout, out] = recorder();
  const [stderr, err] = recorder();
  return { env, stdout, stderr, out, err };
}

function recorder(): [stream: Writable, text: () => string] {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return [stream, () => text];
}
