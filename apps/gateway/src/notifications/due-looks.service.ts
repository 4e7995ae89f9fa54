import { Inject, Injectable } from '@nestjs/common';
import { assigneeKey, settingsInForce } from '#libs/domain';
import { storedNames } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import type { HoldingPerson } from '../auth/holder-rights.ts';
import type { FindingsQuery } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { SETTINGS } from '../tokens.ts';
import { AcceptancesRepository } from './acceptances.repository.ts';
import { type Look, newlyFound, type TimedFinding } from './look.ts';
import { AHEAD_MS, type DueKind, FINDINGS_LISTED_MAX, type NewNotification } from './notification.ts';
import { NotifiedFindingsRepository } from './notified-findings.repository.ts';
import type { PersonRow } from './people.repository.ts';

/** Of one kind and one look; more are not counted. */
const FINDINGS_MAX = 500;
/** Of one kind, and of one user or team: more are not compared with the look before. */
const LOOKED_AT_MAX = 5_000;

/** What a person is looked up by: its user name and the teams that it follows. */
type Assignees = readonly (readonly [type: 'user' | 'team', name: string])[];

/** A look at one kind, with a notification if there is news. */
interface KindLook {
  kind: DueKind;
  look: Look;
  notification: NewNotification | null;
}

/** Finds what time, and what changes times, has brought a person: due dates, and acceptances that end. */
@Injectable()
export class DueLooks {
  constructor(
    private readonly findings: FindingsService,
    private readonly acceptances: AcceptancesRepository,
    private readonly notified: NotifiedFindingsRepository,
    private readonly keys: SubjectKeys,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /** At each kind that notifies the person. @param now epoch ms */
  async look(person: HoldingPerson, row: PersonRow, now: number): Promise<KindLook[]> {
    const { checkedThrough: since, kinds, personId, teams } = row;
    const until = now + AHEAD_MS;
    const assignees: Assignees = [['user', person.name], ...teams.map((team) => ['team', team] as const)];
    const ahead = [Math.max(since + AHEAD_MS, now), until] as const;
    const looks: [DueKind, () => Promise<Look>, readonly [number, number]][] = [
      ['overdue', () => this.due(person, assignees, { sla: 'overdue' }), [since, now]],
      ['dueSoon', () => this.due(person, assignees, { sla: 'due', dueBefore: until + 1 }), ahead],
      ['acceptanceEnding', () => this.acceptancesEnding(person, teams, [now, until]), ahead],
    ];
    const before = await this.notified.of(personId);
    const found: KindLook[] = [];
    for (const [kind, find, window] of looks) {
      if (!kinds.includes(kind)) continue;
      const look = await find();
      const ids = newlyFound(look, before.get(kind), window).slice(0, FINDINGS_MAX);
      const notification = {
        ...{ personId, key: `${kind}:${since}`, kind, at: now, by: null },
        ...{ findings: ids.length, findingIds: ids.slice(0, FINDINGS_LISTED_MAX) },
      };
      found.push({ kind, look, notification: ids.length === 0 ? null : notification });
    }
    return found;
  }

  private async due(
    { rows }: HoldingPerson,
    assignees: Assignees,
    filter: Pick<FindingsQuery, 'sla' | 'dueBefore'>,
  ): Promise<Look> {
    const found = new Map<string, TimedFinding>();
    let isWhole = true;
    for (const [type, assignee] of assignees) {
      let left = LOOKED_AT_MAX;
      // The latest due dates come first.
      for await (const items of this.findings.pages({ ...filter, assignee, sort: '-due' }, rows)) {
        if (left <= 0) {
          isWhole = false;
          break;
        }
        left -= items.length;
        for (const { id, due, assignee: stored } of items) {
          // A user and a team can have the same name.
          if (stored?.type === type && due !== null) found.set(id, { id, at: Date.parse(due) });
        }
      }
    }
    return { findings: [...found.values()], isWhole };
  }

  private async acceptancesEnding(
    { name, rows }: HoldingPerson,
    teams: readonly string[],
    window: readonly [number, number],
  ): Promise<Look> {
    const names = await storedNames(this.keys, name);
    const keys = [
      ...names.map((user) => assigneeKey({ user })),
      ...teams.map((team) => assigneeKey({ team })),
    ];
    const { ownerRules: rules } = settingsInForce(this.settings());
    const whose = { names, assignee: { keys, rules }, rows };
    const found = await this.acceptances.ending(window, whose, LOOKED_AT_MAX + 1);
    return { findings: found.slice(0, LOOKED_AT_MAX), isWhole: found.length <= LOOKED_AT_MAX };
  }
}
