import type { Queryable } from '#libs/replay';

const MESSAGE =
  'restored from a backup: resume it when the original site no longer delivers; it continues at the position of the backup and delivers every score again';

const REPORT_MESSAGE = 'restored from a backup: enable it when the original site no longer sends its reports';

/** The operator decides whether the restored site delivers and sends reports: the original site may still do so. */
export async function pauseWebhooks(connection: Queryable): Promise<void> {
  const restored = `jsonb_build_object('reason', 'restored', 'message', $1::text,
                                       'at', floor(extract(epoch from now()) * 1000))`;
  await connection.query(`update webhooks set enabled = false, paused = ${restored} where enabled`, [
    MESSAGE,
  ]);
  await connection.query(
    `update report_schedules set enabled = false, next_at = null, stopped = ${restored} where enabled`,
    [REPORT_MESSAGE],
  );
}
