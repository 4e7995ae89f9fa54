import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { type FindingAccepted, type FindingReverted, settingsInForce } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import type { PendingAct } from '../acts/pending-act.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import { type ActOf, actOn } from '../finding-acts/act-of.ts';
import { ActedOnFindings } from '../finding-acts/acted-on-findings.ts';
import { assertConditions, assertExpected } from '../finding-acts/assert-bulk.ts';
import { BULK_MAX, BulkFilterDto } from '../finding-acts/bulk-filter.dto.ts';
import { FindingActs } from '../finding-acts/finding-acts.service.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { UNHURRIED } from '../paging/past-reads.ts';
import { withTerms } from '../query-terms/with-terms.ts';
import { SETTINGS } from '../tokens.ts';
import type {
  AcceptFindingDto,
  BulkAcceptDto,
  BulkOutcomeDto,
  BulkRevertDto,
  NewAcceptanceDto,
  RevertFindingDto,
} from './acceptance.dto.ts';
import { accepted, reverted } from './acceptance-acts.ts';

const LISTED_MAX = 100;

/** Accepts and reverts findings. The fold decides; a request that is known to fail is rejected before the append. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly findings: FindingsService,
    private readonly actedOn: ActedOnFindings,
    private readonly findingActs: FindingActs,
    private readonly acts: ActsService,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /**
   * The finding, Accepted Failed, or the act's position if it was not folded within 10 s.
   * @throws NotFoundException, ConflictException (not Failed, or a stale version), BadRequestException (`until` is past)
   */
  async accept(id: string, given: AcceptFindingDto, caller: LimitedCaller): Promise<FindingDto | PendingAct> {
    const act = this.acceptedAct(given);
    const finding = await this.findings.get(id, {}, caller.rows);
    if (finding.state !== 'Failed') {
      throw new ConflictException(`only a Failed finding can be accepted: this finding is ${finding.state}`);
    }
    return this.findingActs.perform(finding.id, act, given.version, caller);
  }

  /**
   * The finding after the act, or the act's position if it was not folded within 10 s.
   * @throws NotFoundException, ConflictException (not accepted or held, or a stale version)
   */
  async revert(id: string, given: RevertFindingDto, caller: LimitedCaller): Promise<FindingDto | PendingAct> {
    const finding = await this.findings.get(id, {}, caller.rows);
    if (finding.state !== 'AcceptedFailed' && !(finding.state === 'Failed' && finding.heldFailed)) {
      throw new ConflictException(
        `only an Accepted Failed finding or a finding that is held Failed can be reverted: this finding is ${finding.state}`,
      );
    }
    return this.findingActs.perform(finding.id, reverted(given), given.version, caller);
  }

  /** Accepts all Failed findings that a filter means, up to 10,000. */
  async acceptMany(given: BulkAcceptDto, caller: LimitedCaller): Promise<BulkOutcomeDto> {
    return this.actOnMany(given, 'Failed', caller, this.acceptedAct(given));
  }

  /** Reverts all Accepted Failed findings that a filter means, up to 10,000. */
  revertMany(given: BulkRevertDto, caller: LimitedCaller): Promise<BulkOutcomeDto> {
    return this.actOnMany(given, 'AcceptedFailed', caller, reverted(given));
  }

  /**
   * @param until its path in the body
   * @throws BadRequestException if `until` is past, or missing although the SLA requires it
   */
  acceptedAct(given: NewAcceptanceDto, until = 'until'): ActOf<FindingAccepted> {
    const act = accepted(given);
    if (act.until === null && settingsInForce(this.settings()).sla?.exceptionsNeedEnd) {
      throw new BadRequestException(
        `${until} is required, because the setting sla.exceptionsNeedEnd is true`,
      );
    }
    if (act.until !== null && act.until <= this.clock.now()) {
      throw new BadRequestException(`${until} must be in the future`);
    }
    return act;
  }

  private async actOnMany(
    { filter, dryRun = false, expected }: BulkAcceptDto | BulkRevertDto,
    state: 'Failed' | 'AcceptedFailed',
    caller: LimitedCaller,
    act: ActOf<FindingAccepted | FindingReverted>,
  ): Promise<BulkOutcomeDto> {
    const conditions = await withTerms(filter, BulkFilterDto, 'filter.');
    assertConditions(conditions);
    const selected = { ...conditions, state };
    const matching = await this.actedOn.matching(selected, caller.rows, BULK_MAX);
    if (!dryRun) assertExpected(expected, matching.length);
    const { items: findings } = await this.findings.list(
      { ...selected, limit: LISTED_MAX },
      caller.rows,
      UNHURRIED,
    );
    const acts = matching.map(({ id, entityKey, decidedOn: { version } }) => ({
      entityKey,
      payload: actOn(id, version, act),
    }));
    const outcomes = dryRun ? [] : await this.acts.perform(acts, caller);
    return {
      dryRun,
      matching: matching.length,
      done: outcomes.filter(({ isFolded, refused }) => isFolded && refused === null).length,
      refused: outcomes.filter(({ refused }) => refused !== null).length,
      pending: outcomes.filter(({ isFolded }) => !isFolded).length,
      requestId: caller.requestId,
      findings,
    };
  }
}
