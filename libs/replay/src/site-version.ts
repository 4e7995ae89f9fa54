import type { Database } from '#libs/database';
import { CURRENT_RULES } from '#libs/domain';
import type { Checkpoint } from '#libs/log-archive';

/** The versions that a site's rows depend on in addition to the records of its log. */
export type SiteVersion = Pick<Checkpoint, 'logId' | 'rules' | 'tables'>;

/** @throws Error if the service has never opened the database */
export async function readSiteVersion({ db, pool }: Database): Promise<SiteVersion> {
  const { log_id } = await db.selectFrom('log_identity').select('log_id').executeTakeFirstOrThrow();
  const { rows } = await pool.query('select name from public.migrations order by number desc limit 1');
  return { logId: log_id, rules: CURRENT_RULES, tables: rows[0].name };
}
