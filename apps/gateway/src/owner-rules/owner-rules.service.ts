import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { assigneeOf, type OwnerRule, type Settings, settingsInForce } from '#libs/domain';
import { TextOpener } from '#libs/sealing';
import { assigneeView } from '#libs/views';
import { PendingAct } from '../acts/pending-act.ts';
import type { Caller } from '../auth/caller.ts';
import { OrganizationActs } from '../organization/organization-acts.service.ts';
import { OrganizationStore } from '../organization/organization-store.ts';
import { ScoreSlots } from '../scores/score-slots.ts';
import { OwnedCountsRepository } from './owned-counts.repository.ts';
import type {
  OwnerRuleDto,
  OwnerRulesDto,
  OwnerRulesPreviewDto,
  ReplaceOwnerRulesDto,
} from './owner-rules.dto.ts';
import { previewOwners } from './preview-owners.ts';

@Injectable()
export class OwnerRules {
  constructor(
    private readonly organization: OrganizationStore,
    private readonly acts: OrganizationActs,
    private readonly counts: OwnedCountsRepository,
    private readonly opener: TextOpener,
    private readonly slots: ScoreSlots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get(): OwnerRulesDto {
    return rulesView(this.organization.current.settings);
  }

  /** @throws ConflictException if the settings have changed since `version` */
  async replace(
    { rules, version }: ReplaceOwnerRulesDto,
    caller: Caller,
  ): Promise<OwnerRulesDto | PendingAct> {
    const done = await this.acts.perform(
      { type: 'OwnerRulesReplaced', seenVersion: version ?? null, rules: rules.map(ruleOf) },
      caller,
    );
    return done instanceof PendingAct ? done : rulesView(done.settings);
  }

  /**
   * What rules would change.
   * @throws RetryLaterException if too many callers wait for counts already
   */
  preview(given: OwnerRuleDto[]): Promise<OwnerRulesPreviewDto> {
    const inForce = settingsInForce(this.organization.current.settings).ownerRules;
    const rules = given.map(ruleOf);
    return this.slots.run(async () =>
      previewOwners(
        await this.opener.value(inForce),
        rules,
        await this.counts.count(inForce, rules, this.clock()),
      ),
    );
  }
}

const ruleOf = ({ departments, locations, tags, owner }: OwnerRuleDto): OwnerRule => ({
  departments,
  locations,
  tags: tags.map(({ key, value }) => ({ key, value })),
  user: owner.type === 'user' ? owner.name : null,
  team: owner.type === 'team' ? owner.name : null,
});

function rulesView(settings: Settings): OwnerRulesDto {
  const { version, ownerRules } = settingsInForce(settings);
  return {
    version,
    rules: ownerRules.flatMap(({ departments, locations, tags, ...named }) => {
      const owner = assigneeOf(named);
      return owner ? [{ departments, locations, tags, owner: assigneeView(owner) }] : [];
    }),
  };
}
