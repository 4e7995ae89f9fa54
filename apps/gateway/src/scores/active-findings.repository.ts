import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { instant, READ_DATABASE, type Schema } from '#libs/database';
import { type Finding, type FindingFacts, findingFactsOf, NEVER_ENDS } from '#libs/domain';
import { ALL_ROWS, isPageFull, upToPageBytes, type WeighedRow } from '#libs/tables';
import { FINDING_NUMBERS } from '../findings/finding-sorts.ts';
import { FindingsAsOfRepository } from '../findings/findings-as-of.repository.ts';
import { SHORT_READ } from '../paging/past-reads.ts';
import { ownOrder } from '../paging/sort.ts';

const PAGE = 500;

interface ActiveRow extends WeighedRow {
  findingNo: number;
  finding: Finding;
}

/** The scoring facts of the active findings of an asset that the caller may see; the findings themselves are read page by page. */
@Injectable()
export class ActiveFindingsRepository {
  constructor(
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
    private readonly findingsAsOf: FindingsAsOfRepository,
  ) {}

  async present(assetNo: number, now: number): Promise<FindingFacts[]> {
    const facts: FindingFacts[] = [];
    for (let after = 0; ; ) {
      const wide = sql`
        select row_number() over (order by f.finding_no) as place, f.finding_no as "findingNo", f.body as finding
        from findings f join finding_seen s using (partition, asset_no, finding_no)
        where f.asset_no = ${assetNo} and f.finding_no > ${after} and f.state <> 'Retired'
          and s.expires_at > ${instant(now)} and s.retain_until > ${instant(now)}
        order by f.finding_no limit ${PAGE}`;
      const { rows } = await upToPageBytes<ActiveRow>(wide).execute(this.db);
      facts.push(...rows.map(({ finding }) => findingFactsOf(finding, NEVER_ENDS)));
      if (!isPageFull(rows, PAGE)) return facts;
      after = rows.at(-1)!.findingNo;
    }
  }

  /** Whether an asset has more findings than so many, in any state. */
  async areMoreThan(count: number, assetNo: number): Promise<boolean> {
    const { rows } = await sql`
      select from findings where asset_no = ${assetNo} offset ${count} limit 1`.execute(this.db);
    return rows.length > 0;
  }

  async past(assetId: string, at: number): Promise<FindingFacts[]> {
    const facts: FindingFacts[] = [];
    for (let after: number[] | null = null; ; ) {
      const order = ownOrder(FINDING_NUMBERS, after);
      const rows = await this.findingsAsOf.list({ assetId }, ALL_ROWS, at, order, PAGE, SHORT_READ);
      facts.push(...rows.map(({ finding }) => findingFactsOf(finding, NEVER_ENDS)));
      if (!isPageFull(rows, PAGE)) return facts;
      const { assetNo, findingNo } = rows.at(-1)!;
      after = [assetNo, findingNo];
    }
  }
}
