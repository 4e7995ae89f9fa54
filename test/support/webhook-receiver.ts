import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A delivery as it came. */
export interface ReceivedDelivery {
  id: string;
  /** Seconds. */
  timestamp: string;
  /** One or more, separated by spaces. */
  signature: string;
  contentType: string;
  body: Buffer;
  /** Its CloudEvents. */
  events: any[];
}

/** A receiver's reaction to a delivery: responds, closes the connection, or never responds. */
export type Reception = { status: number; headers?: Record<string, string> } | 'cut' | 'silent';

/** A server that is delivered to. */
export class WebhookReceiver {
  /** Every delivery that came whole, in order. */
  readonly received: ReceivedDelivery[] = [];
  /** Decides about each; 204 if it is left as it is. */
  receive: (delivery: ReceivedDelivery, count: number) => Reception | Promise<Reception> = () => ({
    status: 204,
  });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/posture`;
  }

  /** All received events, in order, with repeated ones. */
  get events(): any[] {
    return this.received.flatMap(({ events }) => events);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (!body) return;
    const header = (name: string) => String(request.headers[name] ?? '');
    const delivery = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      contentType: header('content-type'),
      body,
      events: JSON.parse(`${body}`),
    };
    this.received.push(delivery);
    const reception = await this.receive(delivery, this.received.length);
    if (reception === 'silent') return;
    if (reception === 'cut') request.socket.destroy();
    else response.writeHead(reception.status, reception.headers).end('whatever');
  }
}

/** Whether one of its signatures is this secret's; made apart from the code of the service. */
export function isSignedBy(secret: string, { id, timestamp, signature, body }: ReceivedDelivery): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signature.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === mac.length && timingSafeEqual(given, mac);
  });
}
