import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { type EntityType, ERASED_ACTION } from '#libs/domain';
import { entityTypeOf, SEALED_TEXTS, sealedKey, textsOfSubject, tokenUser } from '#libs/sealing';

/** The act of an erasure; `at` is epoch ms. */
export interface ErasureRow {
  subject: string;
  at: number;
  partition: number;
  logOffset: number;
  by: string | null;
  reason: string;
}

const keysOf = (subject: string): string[] => [sealedKey(subject), sealedKey(subject, 'machine')];

const IS_OF_TOKEN = sql<boolean>`action like 'credential.token%'`;
const TOKEN_NAME = sql<string>`detail -> 'after' ->> 'username'`;
/** Ids of the API tokens that have had the name of a subject, also of revoked ones. */
const tokensOf = (subject: string) =>
  sql`select target from acts where ${IS_OF_TOKEN} and ${TOKEN_NAME} ~ ${textsOfSubject(subject)}`;

@Injectable()
export class ErasuresRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The first erasure of a subject. */
  first(subject: string): Promise<ErasureRow | undefined> {
    return this.rows().where('target', '=', subject).orderBy('at').limit(1).executeTakeFirst();
  }

  /** Newest first. */
  list(before: [number, number, number] | null, limit: number): Promise<ErasureRow[]> {
    return this.rows()
      .$if(before !== null, (query) =>
        query.where(
          sql<SqlBool>`(at, partition, log_offset) < (${instant(before![0])}, ${before![1]}::bigint, ${before![2]}::bigint)`,
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('partition', 'desc')
      .orderBy('log_offset', 'desc')
      .limit(limit)
      .execute();
  }

  /** User names of all credentials, 10,000 at most, and API tokens, 1,000 at most. */
  async credentialNames(): Promise<string[]> {
    const credentials = await this.db.selectFrom('credentials').select('username').execute();
    const tokens = await this.db.selectFrom('api_tokens').select('name').execute();
    return [...credentials.map(({ username }) => username), ...tokens.map(({ name }) => tokenUser(name))];
  }

  /** Name of the API token, not revoked, that had the name of a subject. */
  async renamedToken(subject: string): Promise<string | undefined> {
    const { rows } = await sql<{ name: string }>`
      select name from api_tokens where id::text in (${tokensOf(subject)}) limit 1`.execute(this.db);
    return rows[0]?.name;
  }

  /** All names, by their subjects, of the API tokens that had the name of a subject: sealed, as in the audit trail. */
  async tokenNames(subject: string): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; name: string }>`
      select distinct substring(name from ${SEALED_TEXTS.source}::text) as id, name
        from acts, lateral (select ${TOKEN_NAME} as name) named
       where ${IS_OF_TOKEN} and target in (${tokensOf(subject)}) and name ~ ${SEALED_TEXTS.source}`.execute(
      this.db,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Of the entity that is a subject; undefined if none is folded, as of a person. */
  async entityType(subject: string): Promise<EntityType | undefined> {
    const asset = await this.db
      .selectFrom('assets')
      .select('entity_key')
      .where('entity_key', 'in', keysOf(subject))
      .limit(1)
      .executeTakeFirst();
    return asset && entityTypeOf(asset.entity_key);
  }

  /** Number of sealed texts of a subject in its asset, the findings of it, and the audit trail. */
  async sealedTexts(subject: string): Promise<number> {
    const texts = textsOfSubject(subject);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
        from (select a.state::text as row from assets a where a.entity_key = any(${keysOf(subject)}::text[])
              union all
              select f.body::text from findings f join assets a using (partition, asset_no)
               where a.entity_key = any(${keysOf(subject)}::text[])
              union all
              select concat(by_user, detail) from acts where concat(by_user, detail) like ${`%${subject}%`}) of_subject,
             lateral regexp_matches(of_subject.row, ${texts}, 'g')`.execute(this.db);
    return rows[0]!.count;
  }

  private rows() {
    return this.db
      .selectFrom('acts')
      .select(['target as subject', 'at', 'partition', 'log_offset as logOffset', 'by_user as by'])
      .select(sql<string>`detail ->> 'reason'`.as('reason'))
      .where('action', '=', sql.lit(ERASED_ACTION))
      .where('refused', 'is', null);
  }
}
