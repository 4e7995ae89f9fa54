import { Injectable, NotFoundException } from '@nestjs/common';
import type { FindingAct } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { type ActOf, actOn } from './act-of.ts';
import { ActedOnRepository, versionAtFold } from './acted-on.repository.ts';

/** One act of a user on a finding. */
@Injectable()
export class FindingActs {
  constructor(
    private readonly findings: FindingsService,
    private readonly actedOn: ActedOnRepository,
    private readonly acts: ActsService,
  ) {}

  /**
   * The finding after the act, or the act's position if it was not folded within 10 s.
   * @param version that the caller read; undefined: any
   * @throws NotFoundException, ConflictException if the fold refused it
   */
  async perform(
    id: string,
    act: ActOf<FindingAct>,
    version: number | undefined,
    caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    const finding = (await this.actedOn.byIds([id], caller.rows)).get(id);
    if (finding === undefined) throw new NotFoundException(`no finding has the id ${id}`);
    const payload = actOn(id, versionAtFold(finding, version ?? null), act);
    const { isFolded, position } = await this.acts.performOne(
      { entityKey: finding.entityKey, payload },
      caller,
    );
    return isFolded ? this.findings.get(id, {}, caller.rows) : new PendingAct(position);
  }
}
