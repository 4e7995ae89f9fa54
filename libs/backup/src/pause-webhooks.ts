import type { Queryable } from '#libs/replay';

const MESSAGE =
  'restored from a backup: resume it when the original site no longer delivers; it continues at the position of the backup and delivers every score again';

/** The operator decides whether the restored site delivers: the original site may still deliver. */
export const pauseWebhooks = (connection: Queryable): Promise<unknown> =>
  connection.query(
    `update webhooks set enabled = false,
            paused = jsonb_build_object('reason', 'restored', 'message', $1::text,
                                        'at', floor(extract(epoch from now()) * 1000))
      where enabled`,
    [MESSAGE],
  );
