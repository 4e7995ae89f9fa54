import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StreamTopic } from '#libs/changes';
import type { Logger } from '#libs/config';
import { TOKEN_SECONDS } from '../auth/access-tokens.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { LOGGER } from '../tokens.ts';
import { resumeAt } from './change-cursor.ts';
import { ChangeHeads } from './change-heads.ts';
import { changeStream } from './change-stream.ts';
import { ChangeTexts } from './change-texts.ts';

const CLIENTS_MAX = 200;
const RETRY_SECONDS = 5;
/** Nobody follows for longer on one token; clients of server-sent events come back by themselves. */
const STREAM_MS_MAX = TOKEN_SECONDS * 1000;

/**
 * Streams of changes for clients. They are read from the history in PostgreSQL and not from the topics: its keys are the
 * sequences that ids are made of, so that a client resumes exactly after any time, also where Kafka has compacted, and
 * both logs answer alike.
 */
@Injectable()
export class ChangesService implements OnModuleDestroy {
  /** One a client, from the moment its place is taken. */
  private readonly clients = new Set<AbortController>();
  private isStopping = false;

  constructor(
    private readonly heads: ChangeHeads,
    private readonly texts: ChangeTexts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The text of the stream, at most an hour of it. Destroy it to free what it holds.
   * @throws RetryLaterException (429) where 200 clients follow already, or the program is stopping
   * @throws BadRequestException where `lastEventId` is none
   */
  async open(topics: StreamTopic[], lastEventId: string | undefined): Promise<Readable> {
    if (this.isStopping || this.clients.size >= CLIENTS_MAX)
      throw new RetryLaterException(RETRY_SECONDS, 'change_streams');
    const client = new AbortController();
    this.clients.add(client);
    try {
      const { vector } = await this.heads.read();
      const cursor = resumeAt(lastEventId, topics, vector);
      const text = changeStream({ heads: this.heads, texts: this.texts }, cursor, client.signal);
      return this.streamOf(this.endedByFailure(text), client);
    } catch (error) {
      this.clients.delete(client);
      throw error;
    }
  }

  /** Streams would hold the program's end for as long as they last. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const client of this.clients) client.abort();
  }

  private streamOf(text: AsyncGenerator<string>, client: AbortController): Readable {
    const timer = setTimeout(() => client.abort(), STREAM_MS_MAX);
    const stream = Readable.from(endedAtOnce(text, client), { objectMode: false });
    stream.once('close', () => {
      clearTimeout(timer);
      this.clients.delete(client);
    });
    return stream;
  }

  /** The client comes back with the id of its last event and goes on from there. */
  private async *endedByFailure(text: AsyncGenerator<string>): AsyncGenerator<string> {
    try {
      yield* text;
    } catch (error) {
      this.logger.warn({ err: error }, 'a stream of changes was ended');
    }
  }
}

/** A generator that waits hears of its end when the waiting is over: it is told through its signal before. */
const endedAtOnce = (text: AsyncGenerator<string>, client: AbortController): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => text.next(),
    return: () => {
      client.abort();
      return text.return(undefined);
    },
  }),
});
