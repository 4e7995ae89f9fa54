import type { Queryable } from '#libs/replay';

const PEOPLE =
  'select id from credentials union all select id from users union all select id from api_tokens';

/**
 * Removes views and notifications of people who do not exist. Users are in the file of keys, and their views in the tables:
 * with later keys, or without keys, the tables contain views of users who are not there.
 * @param connection in a transaction, once credentials and users are those of the restored site
 */
export async function removeEndedPeople(connection: Queryable): Promise<void> {
  await connection.query(`delete from saved_views where owner_id not in (${PEOPLE})`);
  await connection.query(`delete from default_views where person_id not in (${PEOPLE})`);
  await connection.query(`delete from notification_people where person_id not in (${PEOPLE})`);
}
