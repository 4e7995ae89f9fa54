import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { CatalogueAt } from '#libs/catalogue-store';
import { CLOCK, type Clock } from '#libs/config';
import type { OwnerRule, Sla } from '#libs/domain';
import type { ReadingInstant } from '#libs/scores';
import { isPageFull, type RowLimits, type WeighedRow } from '#libs/tables';
import { type DueBasis, findingItem, findingView, instanceView, type SeenFinding, seenAt } from '#libs/views';
import { type AsOfPageQuery, type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type PastRead, type PastReader, PastReads, UNHURRIED } from '../paging/past-reads.ts';
import { cursorKeys, listOrder } from '../paging/sort.ts';
import { assertPastSort, PAST_REPORTED_MAX } from '../paging/sorted-past.ts';
import { CataloguesRepository } from './catalogues.repository.ts';
import { type DecisionRead, DecisionsRepository, shownDecision } from './decisions.repository.ts';
import type {
  FindingDto,
  FindingFilterQuery,
  FindingItemDto,
  FindingsQuery,
  HistoryPageDto,
  InstanceDto,
} from './finding.dto.ts';
import type { FindingFilter } from './finding-conditions.ts';
import { findingMappings, findingThreats } from './finding-mappings.ts';
import { FINDING_NUMBERS, FINDING_SORTS, type FindingOrder } from './finding-sorts.ts';
import { FindingsRepository } from './findings.repository.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import { historyItem } from './history-item.ts';
import { assertPastDue, pastFilter } from './past-filter.ts';
import { pastFinding } from './past-finding.ts';
import { findingSortsAt } from './past-finding-sql.ts';
import type { FindingNumbers } from './read-history.ts';
import { SettingsAtRepository } from './settings-at.repository.ts';
import { type SettingsOfFilter, StoredFilters } from './stored-filters.ts';

/** Of readers of all findings. */
const WHOLE_PAGE = 500;

type ReadFinding = FindingNumbers & WeighedRow & { seen: SeenFinding; sortKey: string | null };

const orderOf = (
  given: { sort?: string | undefined; cursor?: string | undefined },
  { at, isPast }: ReadingInstant,
  sla: Sla | null,
): FindingOrder => {
  if (isPast && (given.sort === 'due' || given.sort === '-due')) assertPastDue(sla);
  const sorts = isPast ? findingSortsAt(at, sla) : FINDING_SORTS;
  return { ...listOrder(sorts, FINDING_NUMBERS, given), sla };
};

@Injectable()
export class FindingsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly catalogues: CataloguesRepository,
    private readonly decisions: DecisionsRepository,
    private readonly filters: StoredFilters,
    private readonly settings: SettingsAtRepository,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws BadRequestException if the cursor does not belong to this list, for more findings than can be sorted as of an
   * instant, and for a filter by decision as of one; RetryLaterException (429) if too many read as much of the history
   */
  async list(
    { limit, cursor, asOf, sort, ...given }: FindingsQuery,
    rowLimits: RowLimits,
    reader: PastReader,
  ): Promise<Page<FindingItemDto>> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const instant = { at: past ?? now, isPast: past !== null };
    const inForce = await this.settings.at(past);
    const { sla } = inForce;
    const filter = await this.filterOf(given, rowLimits, instant, inForce);
    if (past !== null && sort !== undefined) {
      const hasMoreThan = (max: number) => this.findingsAsOf.hasMoreThan(filter, max);
      const remedy = 'filter by type or assetId, or omit sort';
      await assertPastSort({ things: 'findings', rows: rowLimits, hasMoreThan, remedy });
    }
    const order = orderOf({ sort, cursor }, instant, sla);
    const { ownerRules } = inForce;
    const rows =
      past === null
        ? await this.present(filter, rowLimits, now, order, limit + 1, ownerRules)
        : await this.pastReads.run(reader, (read) =>
            this.past(filter, rowLimits, past, order, limit + 1, read, ownerRules),
          );
    const catalogue = await this.catalogues.of(
      rows.map(({ seen }) => seen.finding),
      past ?? now,
    );
    const decisions = await this.decisions.of(rows, past, catalogue);
    return pageFrom(
      rows,
      limit,
      ({ assetNo, findingNo, sortKey }) => cursorKeys(sort, sortKey, [assetNo, findingNo]),
      ({ seen }) => {
        const decision = decisions.get(seen.finding.id) ?? null;
        const item = findingItem(seen, dueBasis(past ?? now, sla, decision), catalogue);
        return { ...item, ssvc: shownDecision(seen, decision), ...findingThreats(seen.finding, catalogue) };
      },
      isPageFull(rows, limit + 1),
    );
  }

  /** All present findings of a filter, in the pages of `list`. */
  async *pages(
    filter: Omit<FindingsQuery, 'limit' | 'cursor' | 'asOf'>,
    rowLimits: RowLimits,
  ): AsyncGenerator<FindingItemDto[]> {
    let cursor: string | undefined;
    do {
      const query = { ...filter, limit: WHOLE_PAGE, ...(cursor && { cursor }) };
      const page = await this.list(query, rowLimits, UNHURRIED);
      yield page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }

  /**
   * To be called before a report counts and reads findings: it reads the history of all that have the type and the asset
   * of the filter, whether visible or not.
   * @throws BadRequestException if these are more than a report can read from the history, with `remedy` for its caller
   */
  async assertReportable(
    given: Pick<FindingFilterQuery, 'type' | 'assetId'>,
    { isPast }: ReadingInstant,
    remedy: string,
    max = PAST_REPORTED_MAX,
  ): Promise<void> {
    if (!isPast || !(await this.findingsAsOf.hasMoreThan(given, max))) return;
    throw new BadRequestException(
      `asOf: from the history, a report can read at most ${max} findings: ${remedy}`,
    );
  }

  /**
   * The first findings of a sort, whole, for a report. The result is the same from the present rows and later from the
   * history.
   * @param view what is kept of a page of findings, whose texts are still sealed: only one page is in memory
   * @param slaOfFilter by which the filter and the sort derive due dates; default: the SLA at the instant
   * @throws BadRequestException for a filter by decision as of a past instant
   */
  async reported<View>(
    { sort, limit, ...given }: FindingFilterQuery & { sort: string; limit: number },
    rowLimits: RowLimits,
    instant: ReadingInstant,
    reader: PastReader,
    view: (findings: FindingDto[]) => Promise<View[]>,
    slaOfFilter?: Sla | null,
  ): Promise<View[]> {
    const { sla, ownerRules } = await this.settings.at(instant.isPast ? instant.at : null);
    const dueBy = slaOfFilter === undefined ? sla : slaOfFilter;
    const filter = await this.filterOf(given, rowLimits, instant, { sla: dueBy, ownerRules });
    const order = orderOf({ sort }, instant, dueBy);
    return this.pastReads.run(reader, async (read) => {
      const views: View[] = [];
      for await (const rows of this.sortedPages(filter, rowLimits, instant, order, limit, read, ownerRules)) {
        views.push(...(await view(await this.wholeFindings(rows, instant, sla))));
      }
      return views;
    });
  }

  /** @throws NotFoundException; also if there was no such finding yet at `asOf` */
  async get(id: string, { asOf }: AsOfQuery, rows: RowLimits): Promise<FindingDto> {
    const { past, now, sla, ...row } = await this.find(id, asOf, rows);
    const catalogue = await this.catalogues.of([row.seen.finding], past ?? now);
    const decisions = await this.decisions.of([row], past, catalogue);
    const decision = decisions.get(id) ?? null;
    return wholeFinding(row.seen, dueBasis(past ?? now, sla, decision), decision, catalogue);
  }

  /**
   * All instances by key, of which `get` returns a part.
   * @throws NotFoundException; also if there was no such finding yet at `asOf`. BadRequestException if the cursor
   *   belongs to another list
   */
  async instances(
    id: string,
    { limit, cursor, asOf }: AsOfPageQuery,
    rowLimits: RowLimits,
  ): Promise<Page<InstanceDto>> {
    // A key can be longer than a cursor.
    const [first] = decodeKeys(cursor, 'number') ?? [0];
    const { seen } = await this.find(id, asOf, rowLimits);
    const following = seen.finding.instances.slice(Math.max(0, first), Math.max(0, first) + limit + 1);
    return pageFrom(following, limit, () => [first + limit], instanceView);
  }

  /** @throws NotFoundException; also if there was no such finding yet at `asOf` */
  async history(
    id: string,
    { limit, cursor, asOf }: AsOfPageQuery,
    rowLimits: RowLimits,
  ): Promise<HistoryPageDto> {
    const after = decodeKeys(cursor, 'number')?.[0] ?? 0;
    const past = pastInstant(asOf, this.clock());
    const finding = await this.find(id, asOf, rowLimits);
    const range = { after, limit: limit + 1, until: past ?? undefined };
    const rows = await this.findings.history(finding, range, rowLimits, (row, before) => ({
      sequence: row.sequence,
      item: historyItem(row, before),
    }));
    const integrations = await this.findings.integrationsOf(rows.map(({ item }) => item.cause.syncId));
    const page = pageFrom(
      rows,
      limit,
      ({ sequence }) => [sequence],
      ({ item }) => ({
        ...item,
        cause: { ...item.cause, integrationId: integrations.get(item.cause.syncId) ?? null },
      }),
    );
    return { ...page, removed: after === 0 ? await this.findings.removedHistory(finding) : null };
  }

  private async filterOf(
    given: FindingFilterQuery,
    rowLimits: RowLimits,
    { at, isPast }: ReadingInstant,
    inForce: SettingsOfFilter,
  ): Promise<FindingFilter> {
    const instant = { past: isPast ? at : null, now: at };
    const filter = await this.filters.of(given, rowLimits, instant, inForce);
    return isPast ? pastFilter(filter) : filter;
  }

  private async *sortedPages(
    filter: FindingFilter,
    rowLimits: RowLimits,
    instant: ReadingInstant,
    first: FindingOrder,
    limit: number,
    read: PastRead,
    rules: readonly OwnerRule[],
  ): AsyncGenerator<ReadFinding[]> {
    const { at, isPast } = instant;
    if (isPast) {
      const pages = this.findingsAsOf.sortedPages(filter, rowLimits, at, first, limit, read, rules);
      for await (const rows of pages) yield rows.map((row) => ({ ...row, seen: pastFinding(row, at) }));
      return;
    }
    for (let left = limit, order = first; left > 0; ) {
      read.assertAwaited();
      const rows = await this.present(filter, rowLimits, at, order, left, rules);
      yield rows;
      if (!isPageFull(rows, left)) return;
      left -= rows.length;
      const { sortKey, assetNo, findingNo } = rows.at(-1)!;
      order = { ...order, after: { key: sortKey, numbers: [assetNo, findingNo] } };
    }
  }

  private async past(
    filter: FindingFilter,
    rowLimits: RowLimits,
    at: number,
    order: FindingOrder,
    limit: number,
    read: PastRead,
    rules: readonly OwnerRule[],
  ): Promise<ReadFinding[]> {
    const rows = await this.findingsAsOf.list(filter, rowLimits, at, order, limit, read, rules);
    return rows.map((row) => ({ ...row, seen: pastFinding(row, at) }));
  }

  private async present(
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    order: FindingOrder,
    limit: number,
    rules: readonly OwnerRule[],
  ): Promise<ReadFinding[]> {
    const rows = await this.findings.list(filter, rowLimits, now, order, limit, rules);
    return rows.map((row) => ({ ...row, seen: seenAt(row, now) }));
  }

  /** With the decisions of the instant, which the stored ones can be behind. */
  private async wholeFindings(
    rows: ReadFinding[],
    { at }: ReadingInstant,
    sla: Sla | null,
  ): Promise<FindingDto[]> {
    const catalogue = await this.catalogues.of(
      rows.map(({ seen }) => seen.finding),
      at,
    );
    const decisions = await this.decisions.of(rows, at, catalogue);
    return rows.map(({ seen }) => {
      const decision = decisions.get(seen.finding.id) ?? null;
      return wholeFinding(seen, dueBasis(at, sla, decision), decision, catalogue);
    });
  }

  /** Also returns the instant of the read (a past one, or null and the present) and the SLA of that time. */
  private async find(
    id: string,
    asOf: number | undefined,
    rows: RowLimits,
  ): Promise<FindingNumbers & { seen: SeenFinding; past: number | null; now: number; sla: Sla | null }> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const { sla, ownerRules } = await this.settings.at(past);
    if (past === null) {
      const row = await this.findings.find(id, rows, ownerRules);
      if (row) return { ...row, seen: seenAt(row, now), past, now, sla };
    } else {
      const row = await this.findingsAsOf.find(id, past, rows, ownerRules);
      if (row) return { ...row, seen: pastFinding(row, past), past, now, sla };
    }
    throw new NotFoundException(`no finding ${past === null ? 'has' : 'had'} the id ${id}`);
  }
}

function wholeFinding(
  seen: SeenFinding,
  basis: DueBasis,
  decision: DecisionRead | null,
  catalogue: CatalogueAt,
): FindingDto {
  const view = findingView(seen, basis, catalogue);
  return {
    ...view,
    ssvc: shownDecision(seen, decision),
    ...findingThreats(seen.finding, catalogue),
    mappings: findingMappings(view, catalogue),
  };
}

const dueBasis = (at: number, sla: Sla | null, read: DecisionRead | null): DueBasis => ({
  at,
  sla,
  decision: read?.ssvc.decision ?? null,
  isKnownExploited: read?.isKnownExploited ?? false,
});
