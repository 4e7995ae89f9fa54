import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OTLP's JSON says it, with the service that sent it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** Takes spans by OTLP/HTTP, as a collector does. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      json(request).then(
        (body) => {
          receiver.take(body as Parameters<OtlpReceiver['take']>[0]);
          response.setHeader('content-type', 'application/json').end('{}');
        },
        () => response.writeHead(400).end(),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(body: {
    resourceSpans: {
      resource: { attributes: Attribute[] };
      scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes?: Attribute[] })[] }[];
    }[];
  }): void {
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          this.spans.push({
            ...span,
            service,
            attributes: valuesOf(span.attributes ?? []),
            links: span.links ?? [],
          });
        }
      }
    }
  }
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
