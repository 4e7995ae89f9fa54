import { Injectable } from '@nestjs/common';
import type { FindingAct } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { AssetsRepository } from '../assets/assets.repository.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';

/** One act of a user on a finding. */
@Injectable()
export class FindingActs {
  constructor(
    private readonly findings: FindingsService,
    private readonly assets: AssetsRepository,
    private readonly acts: ActsService,
  ) {}

  /**
   * The finding after the act, or the act's position if it was not folded within 10 s.
   * @param finding as the caller may see it
   * @throws NotFoundException, ConflictException if the fold refused it
   */
  async perform(
    { id, assetId }: Pick<FindingDto, 'id' | 'assetId'>,
    payload: FindingAct,
    caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    const entityKey = (await this.assets.entityKeys([assetId])).get(assetId)!;
    const { isFolded, position } = await this.acts.performOne({ entityKey, payload }, caller);
    return isFolded ? this.findings.get(id, {}, caller.rows) : new PendingAct(position);
  }
}
