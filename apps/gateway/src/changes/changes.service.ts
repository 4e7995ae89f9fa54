import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { StreamTopic } from '#libs/changes';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { TextOpener } from '#libs/sealing';
import { type RowLimits, seesAllRows } from '#libs/tables';
import type { LimitedCaller } from '../auth/caller.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { Shares } from '../http/shares.ts';
import { assertChangesKept } from '../paging/kept-history.ts';
import { LOGGER } from '../tokens.ts';
import { CallerCursors } from './caller-cursors.ts';
import { resumeAt } from './change-cursor.ts';
import { ChangeHeads } from './change-heads.ts';
import { type ChangeSources, changeStream } from './change-stream.ts';
import { ChangeTexts } from './change-texts.ts';
import { LimitedChanges } from './limited-changes.ts';

const RETRY_SECONDS = 5;

/**
 * Streams of changes for clients. They are read from the history in PostgreSQL and not from the topics: its keys are the
 * sequences that ids are made of, so that a client resumes exactly after any time, also if Kafka has compacted, and
 * both logs answer alike.
 */
@Injectable()
export class ChangesService implements OnModuleDestroy {
  private readonly shares = new Shares({
    max: 200,
    ofACredential: 50,
    retrySeconds: RETRY_SECONDS,
    reason: 'change_streams',
  });
  private readonly clients = new Set<AbortController>();
  private isStopping = false;

  constructor(
    private readonly heads: ChangeHeads,
    private readonly texts: ChangeTexts,
    private readonly limited: LimitedChanges,
    private readonly cursors: CallerCursors,
    private readonly opener: TextOpener,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The text of the stream, until the caller's access ends. Destroy it to free its resources.
   * @throws RetryLaterException (429) if 200 clients follow already, 50 of them under this credential, or the program
   * is stopping
   * @throws BadRequestException if `lastEventId` is not a position, GoneException if changes after it were removed
   */
  async open(
    topics: StreamTopic[],
    lastEventId: string | undefined,
    { credentialId, access, rows }: LimitedCaller,
  ): Promise<Readable> {
    if (this.isStopping) throw new RetryLaterException(RETRY_SECONDS, 'change_streams');
    const free = this.shares.take(credentialId);
    access.isBoundToRows = true;
    try {
      const { vector } = await this.heads.read();
      const cursor = resumeAt(lastEventId, topics, vector, (id) => this.cursors.read(id, rows));
      await assertChangesKept(this.db, 'Last-Event-ID', cursor.findings);
      access.assertLasts();
      const client = this.clientOf(access.signal);
      const text = changeStream(this.sourcesFor(rows), cursor, client.signal);
      const stream = Readable.from(endedAtOnce(this.endedByFailure(text), client), { objectMode: false });
      return stream.once('close', () => {
        this.clients.delete(client);
        free();
      });
    } catch (error) {
      free();
      throw error;
    }
  }

  /** Streams would hold the program's end for as long as they last. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const client of this.clients) client.abort();
  }

  private sourcesFor(rows: RowLimits): ChangeSources {
    const isLimited = !seesAllRows(rows);
    const { heads } = this;
    return {
      heads,
      texts: {
        after: async (...place) => {
          const texts = await (isLimited ? this.limited.after(rows, ...place) : this.texts.after(...place));
          // Opened behind the cache: it keeps nothing that an erasure has to reach.
          return Promise.all(texts.map((text) => text && this.opener.json(text)));
        },
      },
      idOf: (cursor) => this.cursors.textOf(cursor, rows),
    };
  }

  private clientOf(access: AbortSignal): AbortController {
    const client = new AbortController();
    this.clients.add(client);
    access.addEventListener('abort', () => client.abort(access.reason), {
      once: true,
      signal: client.signal,
    });
    return client;
  }

  /** The client comes back with the id of its last event and continues from there. */
  private async *endedByFailure(text: AsyncGenerator<string>): AsyncGenerator<string> {
    try {
      yield* text;
    } catch (error) {
      this.logger.warn({ err: error }, 'a change stream failed and was closed');
    }
  }
}

/** A waiting generator notices its end only after the wait: its signal ends the wait earlier. */
const endedAtOnce = (text: AsyncGenerator<string>, client: AbortController): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => text.next(),
    return: () => {
      client.abort();
      return text.return(undefined);
    },
  }),
});
