import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ChangeTopic } from '#libs/contracts';
import { EVENT_LOG, type EventLog, type StoredRecord } from '#libs/event-log';
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
  ) {}

  /** Answers where to go on; at the beginning again where the topic was made anew since. */
  async open(topic: ChangeTopic, partition: number): Promise<number> {
    const position = await this.positions.read(topic, partition);
    const end = (await this.log.ends(topic))[partition]!;
    if (position <= end) return position;
    this.logger.warn(
      `${topic}/${partition} ends at ${end}, but was followed up to ${position}: it is followed anew`,
    );
    return 0;
  }

  /** Answers the offset to read next. */
  async follow(topic: ChangeTopic, changes: StoredRecord[]): Promise<number> {
    const { partition, offset } = changes.at(-1)!;
    const assets = touchedAssets(changes);
    await this.positions.move(topic, partition, offset + 1);
    this.logger.debug(`${topic}/${partition}: ${changes.length} changes of ${assets.size} assets`);
    return offset + 1;
  }
}
