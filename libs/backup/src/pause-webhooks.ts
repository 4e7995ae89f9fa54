import type { Queryable } from '#libs/replay';

const MESSAGE =
  'restored from a backup: resume it once nothing else delivers; it goes on from where the backup was, and tells every score again';

/** Whoever restores decides what is sent from here: the site that the backup is of may still deliver. */
export const pauseWebhooks = (connection: Queryable): Promise<unknown> =>
  connection.query(
    `update webhooks set enabled = false,
            paused = jsonb_build_object('reason', 'restored', 'message', $1::text,
                                        'at', floor(extract(epoch from now()) * 1000))
      where enabled`,
    [MESSAGE],
  );
