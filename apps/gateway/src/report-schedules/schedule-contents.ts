import { Inject, Injectable } from '@nestjs/common';
import { reportSchedulePlace, Vault, VaultError } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';
import type { ScheduleContent, ScheduleRow } from './report-schedule.ts';

/** What a schedule sends and to whom does not open. */
export class ContentError extends Error {
  override name = 'ContentError';

  constructor() {
    super(
      'its recipients are encrypted with a different secret key: set POSTURE_PREVIOUS_SECRET_KEY to that key, or remove the schedule and add another one',
    );
  }
}

/** Recipients, addresses and secrets of schedules at rest. */
@Injectable()
export class ScheduleContents {
  private readonly vault: Vault;

  constructor(@Inject(SECRET_KEYS) keys: Buffer[]) {
    this.vault = new Vault(keys);
  }

  seal(scheduleId: string, content: ScheduleContent): string {
    return this.vault.seal(JSON.stringify(content), reportSchedulePlace(scheduleId));
  }

  /** @throws ContentError */
  open({ id, content }: Pick<ScheduleRow, 'id' | 'content'>): ScheduleContent {
    try {
      return JSON.parse(this.vault.open(content, reportSchedulePlace(id)));
    } catch (error) {
      throw error instanceof VaultError ? new ContentError() : error;
    }
  }
}
