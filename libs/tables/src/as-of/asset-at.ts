import { type RawBuilder, sql } from 'kysely';
import { instant } from '#libs/database';

/** SQL of an asset at an instant, joined with its row `a` with asset_no and partition. */

/** To be joined laterally as `h`: the last state until an instant; no row if there was none yet. */
export const assetStateAt = (at: number): RawBuilder<unknown> => sql`
  (select state from asset_history
    where asset_no = a.asset_no and partition = a.partition and at <= ${instant(at)}
    order by sequence desc limit 1)`;

/** The type of `h`: the given one, otherwise the default at that time, as in `assetView`. */
export const typingAt = (key: 'type' | 'attackSurface'): RawBuilder<string> =>
  sql`coalesce(h.state -> 'typing' ->> ${key}, h.state -> 'defaults' -> 'typing' ->> ${key})`;

/** As `typingAt`. */
export const placeAt = (key: 'department' | 'location'): RawBuilder<string> =>
  sql`coalesce(h.state ->> ${key}, h.state -> 'defaults' ->> ${key})`;
