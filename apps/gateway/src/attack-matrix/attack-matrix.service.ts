import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { CataloguesRepository } from '../findings/catalogues.repository.ts';
import { FindingTotalsRepository } from '../findings/finding-totals.repository.ts';
import { FindingsAsOfRepository } from '../findings/findings-as-of.repository.ts';
import { pastFilter } from '../findings/past-filter.ts';
import { SettingsAtRepository } from '../findings/settings-at.repository.ts';
import { StoredFilters } from '../findings/stored-filters.ts';
import { pastInstant } from '../paging/as-of.ts';
import { PastReads } from '../paging/past-reads.ts';
import { ScoreSlots } from '../scores/score-slots.ts';
import { type AttackMatrixDto, type AttackMatrixQuery, UNKNOWN_TECHNIQUES_MAX } from './attack-matrix.dto.ts';
import { buildMatrix } from './build-matrix.ts';
import { attackVersionOf } from './navigator-layer.ts';
import { TechniqueCountsRepository } from './technique-counts.repository.ts';

@Injectable()
export class AttackMatrix {
  constructor(
    private readonly totals: FindingTotalsRepository,
    private readonly counts: TechniqueCountsRepository,
    private readonly findingsAsOf: FindingsAsOfRepository,
    private readonly filters: StoredFilters,
    private readonly settings: SettingsAtRepository,
    private readonly catalogues: CataloguesRepository,
    private readonly slots: ScoreSlots,
    private readonly pastReads: PastReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The findings of each technique of a domain, now or at an instant.
   * @param signal ends a read of the history before its next step, with its reason
   * @throws RetryLaterException if too many callers wait for theirs already
   */
  of(query: AttackMatrixQuery, rows: RowLimits, signal: AbortSignal): Promise<AttackMatrixDto> {
    return this.slots.run(() => this.count(query, rows, signal));
  }

  private async count(
    { domain, asOf, format: _, score: __, ...given }: AttackMatrixQuery,
    rows: RowLimits,
    signal: AbortSignal,
  ): Promise<AttackMatrixDto> {
    signal.throwIfAborted();
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const filter = await this.filters.of(given, rows, { past, now }, await this.settings.at(past));
    const catalogue = await this.catalogues.techniques(past ?? now);
    const techniques = catalogue.all();
    const known = techniques.map(({ id }) => id);
    // A row for each technique of the matrices alone and with its sub-techniques, then the unknown ones.
    const limit = 2 * known.length + UNKNOWN_TECHNIQUES_MAX + 1;
    const counted =
      past === null
        ? ((await this.totals.countTechniques(filter, rows, now, known, limit)) ??
          (await this.counts.count(filter, rows, now, known, limit)))
        : await this.pastReads.run({ credentialId: null, signal }, (read) =>
            this.findingsAsOf.countTechniques(pastFilter(filter), rows, past, read, known),
          );
    const { kept, areCut } = cutUnknown(counted, new Set(known));
    return {
      domain,
      attackVersion: attackVersionOf(domain, catalogue.areImported),
      at: isoTime(past ?? now),
      ...buildMatrix(domain, techniques, kept),
      othersAreCut: areCut,
    };
  }
}

/** @param counted unknown techniques with most failed findings first */
function cutUnknown<T extends { id: string }>(counted: readonly T[], known: ReadonlySet<string>) {
  const unknown = counted.filter(({ id }) => !known.has(id));
  return {
    kept: [...counted.filter(({ id }) => known.has(id)), ...unknown.slice(0, UNKNOWN_TECHNIQUES_MAX)],
    areCut: unknown.length > UNKNOWN_TECHNIQUES_MAX,
  };
}
