import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { listErasures } from '#libs/backup';
import type { Config } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { eraseSubjects, SubjectKeys } from '#libs/subject-keys';
import { CONFIG } from '../tokens.ts';

/** What follows the event of an erasure. Each call can be repeated. */
@Injectable()
export class KeyDestroyer {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly keys: SubjectKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Lists the subjects first: a key that is destroyed is on the list, so that no backup brings it back.
   * @throws FileError, Error of the file system: no key is destroyed; KeysUnavailableError, SubjectKeyError
   */
  async destroy(subjects: readonly string[]): Promise<void> {
    await this.list(subjects);
    await eraseSubjects(this.db, this.keys, subjects);
  }

  /** Completes the list of ERASURE_LIST, also by earlier erasures; without that setting, does nothing. */
  async list(subjects: readonly string[] = []): Promise<void> {
    const { erasureList } = this.config;
    if (erasureList !== undefined) await listErasures(this.db, erasureList, subjects);
  }
}
