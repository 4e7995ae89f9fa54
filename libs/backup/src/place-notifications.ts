import { longQuery, type Queryable } from '#libs/replay';

/**
 * What is in the audit trail of a restored site already notifies nobody, and nothing is sent before an admin saves the
 * settings of notifications again: the original site may still send.
 * @param connection in a transaction without a `statement_timeout`, once the log is folded
 */
export async function placeNotifications(connection: Queryable): Promise<void> {
  await connection.query(
    longQuery(
      'insert into notification_positions select partition, max(log_offset) from acts group by partition',
    ),
  );
  await connection.query('update notification_settings set is_restored = true');
  await connection.query('update notification_people set next_message_at = null, checked_through = now()');
}
