import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ChangeTopic } from '#libs/contracts';
import { EVENT_LOG, type EventLog, findShortfall, type StoredRecord } from '#libs/event-log';
import { ChangeDecoder } from '#libs/schema-registry';
import { ScorerPositions } from './scorer-positions.repository.ts';
import { touchedAssets } from './touched-assets.ts';

/**
 * Hears the changes, and knows which assets they touch; so far it computes nothing. What is computed from an asset's
 * current findings may be computed again, so each change is followed at least once.
 */
@Injectable()
export class ScorerService {
  private readonly logger = new Logger(ScorerService.name);

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly positions: ScorerPositions,
    private readonly decoder: ChangeDecoder,
  ) {}

  /** Answers where to go on; at the beginning again where the topic was made anew since. */
  async open(topic: ChangeTopic, partition: number): Promise<number> {
    const position = await this.positions.read(topic, partition);
    const short = await findShortfall(this.log, topic, [{ partition, offset: position }]);
    if (!short) return position;
    this.logger.warn(
      `${topic}/${partition} ends at ${short.end}, but was followed up to ${position}: it is followed anew`,
    );
    return 0;
  }

  /** Answers the offset to read next. */
  async follow(topic: ChangeTopic, records: StoredRecord[]): Promise<number> {
    const { partition, offset } = records.at(-1)!;
    // A tombstone says nothing new: the change that deleted its asset went before it.
    const values = records.map(({ value }) => value).filter(({ length }) => length > 0);
    const assets = touchedAssets(await this.decoder.decode(topic, values));
    await this.positions.move(topic, partition, offset + 1);
    this.logger.debug(`${topic}/${partition}: ${values.length} changes of ${assets.size} assets`);
    return offset + 1;
  }
}
