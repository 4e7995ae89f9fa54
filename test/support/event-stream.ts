import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** One server-sent event, its data parsed. */
export interface StreamedEvent {
  event: string;
  id: string;
  data: any;
}

const READ_MS_MAX = 30_000;

/** The change stream as a client without a library would read it, on a separate connection. */
export class EventStream {
  /** Blocks that were no events: comments and settings. */
  readonly others: string[] = [];
  private readonly pieces: AsyncIterator<string>;
  private buffered = '';

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    this.pieces = response[Symbol.asyncIterator]();
  }

  /** @throws Error on anything but 200 */
  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const asked = request(url, { headers, agent: false });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const stream = new EventStream(response);
    if (response.statusCode === 200) return stream;
    let body = '';
    for await (const piece of response) body += piece;
    throw new Error(`the stream answered ${response.statusCode}: ${body}`);
  }

  /** The next events. @throws Error if they do not come within 30 s, or the stream ends before */
  async take(count: number): Promise<StreamedEvent[]> {
    const events: StreamedEvent[] = [];
    const tooLate = setTimeout(() => this.close(), READ_MS_MAX);
    try {
      while (events.length < count) {
        const event = await this.next();
        if (event === null) throw new Error(`the stream ended after ${events.length} of ${count} events`);
        events.push(event);
      }
    } finally {
      clearTimeout(tooLate);
    }
    return events;
  }

  /** As a client that is cut off does. */
  close(): void {
    this.response.destroy();
  }

  /** null at the end of the stream. */
  async next(): Promise<StreamedEvent | null> {
    for (;;) {
      const end = this.buffered.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await this.pieces.next();
        if (done) return null;
        this.buffered += value;
        continue;
      }
      const block = this.buffered.slice(0, end);
      this.buffered = this.buffered.slice(end + 2);
      const event = eventOf(block);
      if (event) return event;
      this.others.push(block);
    }
  }
}

function eventOf(block: string): StreamedEvent | null {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return 'data' in fields ? { event: fields.event!, id: fields.id!, data: JSON.parse(fields.data!) } : null;
}
