import { Injectable } from '@nestjs/common';
import { ORGANIZATION_KEY, type Organization, type OrganizationPayload } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import type { Caller } from '../auth/caller.ts';
import { OrganizationStore } from './organization-store.ts';

/** Acts on the organization as a whole. */
@Injectable()
export class OrganizationActs {
  constructor(
    private readonly acts: ActsService,
    private readonly organization: OrganizationStore,
  ) {}

  /**
   * The organization with the act folded, or the act's position if that took longer than 10 s.
   * @throws NotFoundException, ConflictException if the fold refused it
   */
  async perform(payload: OrganizationPayload, caller: Caller): Promise<Organization | PendingAct> {
    const { isFolded, position } = await this.acts.performOne(
      { entityKey: ORGANIZATION_KEY, payload },
      caller,
    );
    return isFolded ? this.organization.refresh() : new PendingAct(position);
  }
}
