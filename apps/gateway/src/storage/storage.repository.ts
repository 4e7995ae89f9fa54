import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';

@Injectable()
export class StorageRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Bytes of the files of the database: PostgreSQL looks at each file, of which there are some thousand. */
  async databaseBytes(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database())::bigint as bytes`.execute(this.db);
    return rows[0]!.bytes;
  }
}
