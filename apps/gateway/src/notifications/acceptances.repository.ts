import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { belongsToVisible, type RowLimits } from '#libs/tables';
import { type AssigneeFilter, anyWay, assigneeWays } from '../findings/assignee-ways.ts';
import type { TimedFinding } from './look.ts';

/** Acceptances that end, of interest to a person. */
@Injectable()
export class AcceptancesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Visible findings whose acceptance ends after one instant and until another (epoch ms), the latest first, and that the
   * person accepted or is responsible for. `at` is the end.
   * @param names of the person as they are stored
   */
  async ending(
    [after, until]: readonly [number, number],
    { names, assignee, rows }: { names: readonly string[]; assignee: AssigneeFilter; rows: RowLimits },
    limit: number,
  ): Promise<TimedFinding[]> {
    const end = sql`(f.body #>> '{accepted,until}')::bigint`;
    const isTheirs = sql.join(
      [
        sql<SqlBool>`f.body #>> '{accepted,by}' = any(${[...names]}::text[])`,
        ...anyWay(assigneeWays({ assignee })),
      ],
      sql` or `,
    );
    const { rows: found } = await sql<TimedFinding>`
      select f.id, ${end}::float8 as at from findings f
       where ${sql.join(
         [
           sql`f.state = 'AcceptedFailed' and ${end} > ${after}::bigint and ${end} <= ${until}::bigint`,
           sql`(${isTheirs})`,
           ...belongsToVisible(rows, 'f'),
         ],
         sql` and `,
       )}
       order by ${end} desc, f.asset_no, f.finding_no limit ${limit}`.execute(this.db);
    return found;
  }
}
