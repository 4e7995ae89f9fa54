import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { FindingAccepted, FindingReverted } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { AssetsRepository } from '../assets/assets.repository.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import {
  type AcceptFindingDto,
  BULK_MAX,
  type BulkAcceptDto,
  type BulkFilterDto,
  type BulkOutcomeDto,
  type BulkRevertDto,
  type RevertFindingDto,
} from './acceptance.dto.ts';
import { type ActedOn, ActedOnFindings } from './acted-on-findings.ts';

const LISTED_MAX = 100;

type FindingAct = FindingAccepted | FindingReverted;

/** Accepts and reverts findings. The fold decides; a request that is known to fail is rejected before the append. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly findings: FindingsService,
    private readonly actedOn: ActedOnFindings,
    private readonly assets: AssetsRepository,
    private readonly acts: ActsService,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
  ) {}

  /**
   * The finding, Accepted Failed, or the act's position if it was not folded within 10 s.
   * @throws NotFoundException, ConflictException (not Failed, or a stale version), BadRequestException (`until` is past)
   */
  async accept(id: string, given: AcceptFindingDto, caller: LimitedCaller): Promise<FindingDto | PendingAct> {
    const { rationale, until = null, version: seenVersion = null } = given;
    this.assertToCome(until);
    const finding = await this.findings.get(id, {}, caller.rows);
    if (finding.state !== 'Failed') {
      throw new ConflictException(`only a Failed finding can be accepted: this finding is ${finding.state}`);
    }
    return this.act(
      finding,
      { type: 'FindingAccepted', findingId: id, seenVersion, rationale, until },
      caller,
    );
  }

  /**
   * The finding after the act, or the act's position if it was not folded within 10 s.
   * @throws NotFoundException, ConflictException (not accepted or held, or a stale version)
   */
  async revert(id: string, given: RevertFindingDto, caller: LimitedCaller): Promise<FindingDto | PendingAct> {
    const { to, rationale = null, version: seenVersion = null } = given;
    const finding = await this.findings.get(id, {}, caller.rows);
    if (finding.state !== 'AcceptedFailed' && !(finding.state === 'Failed' && finding.heldFailed)) {
      throw new ConflictException(
        `only an Accepted Failed finding or a finding that is held Failed can be reverted: this finding is ${finding.state}`,
      );
    }
    return this.act(finding, { type: 'FindingReverted', findingId: id, seenVersion, to, rationale }, caller);
  }

  /** Accepts all Failed findings that a filter means, up to 10,000. */
  acceptMany(given: BulkAcceptDto, caller: LimitedCaller): Promise<BulkOutcomeDto> {
    const { rationale, until = null } = given;
    this.assertToCome(until);
    return this.actOnMany(given, 'Failed', caller, ({ id, version }) => ({
      type: 'FindingAccepted',
      findingId: id,
      seenVersion: version,
      rationale,
      until,
    }));
  }

  /** Reverts all Accepted Failed findings that a filter means, up to 10,000. */
  revertMany(given: BulkRevertDto, caller: LimitedCaller): Promise<BulkOutcomeDto> {
    const { to, rationale = null } = given;
    return this.actOnMany(given, 'AcceptedFailed', caller, ({ id, version }) => ({
      type: 'FindingReverted',
      findingId: id,
      seenVersion: version,
      to,
      rationale,
    }));
  }

  private async act(
    { id, assetId }: FindingDto,
    payload: FindingAct,
    caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    const entityKey = (await this.assets.entityKeys([assetId])).get(assetId)!;
    const { isFolded, position } = await this.acts.performOne({ entityKey, payload }, caller);
    return isFolded ? this.findings.get(id, {}, caller.rows) : new PendingAct(position);
  }

  private async actOnMany(
    { filter, dryRun = false, expected }: BulkAcceptDto | BulkRevertDto,
    state: 'Failed' | 'AcceptedFailed',
    caller: LimitedCaller,
    payloadOf: (finding: ActedOn) => FindingAct,
  ): Promise<BulkOutcomeDto> {
    assertCondition(filter);
    const matching = await this.actedOn.matching({ ...filter, state }, caller.rows, BULK_MAX);
    if (!dryRun) assertExpected(expected, matching.length);
    const acts = matching.map((finding) => ({ entityKey: finding.entityKey, payload: payloadOf(finding) }));
    const outcomes = dryRun ? [] : await this.acts.perform(acts, caller);
    return {
      dryRun,
      matching: matching.length,
      done: outcomes.filter(({ isFolded, refused }) => isFolded && refused === null).length,
      refused: outcomes.filter(({ refused }) => refused !== null).length,
      pending: outcomes.filter(({ isFolded }) => !isFolded).length,
      requestId: caller.requestId,
      findings: matching.slice(0, LISTED_MAX).map(({ item }) => item),
    };
  }

  private assertToCome(until: number | null): void {
    if (until !== null && until <= this.clock.now()) {
      throw new BadRequestException('until must be in the future');
    }
  }
}

/** Everything at once is no decision about a finding. */
function assertCondition(filter: BulkFilterDto): void {
  if (Object.values(filter).every((condition) => condition === undefined)) {
    throw new BadRequestException('filter must contain at least one condition');
  }
}

function assertExpected(expected: number | undefined, matching: number): void {
  if (expected === undefined) {
    throw new BadRequestException(
      'expected must be the value `matching` of a dry run: send dryRun=true first',
    );
  }
  if (expected !== matching) {
    throw new ConflictException(
      `${matching} findings match by now, not ${expected}: look at them with dryRun=true again`,
    );
  }
}
