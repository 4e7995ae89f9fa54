import { Inject, Injectable } from '@nestjs/common';
import { assigneeKey, settingsInForce } from '#libs/domain';
import { storedNames } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import type { HoldingPerson } from '../auth/holder-rights.ts';
import type { FindingsQuery } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { UNHURRIED } from '../paging/past-reads.ts';
import { SETTINGS } from '../tokens.ts';
import { AcceptancesRepository } from './acceptances.repository.ts';
import {
  AHEAD_MS,
  FINDINGS_LISTED_MAX,
  type NewNotification,
  type NotificationKind,
} from './notification.ts';
import type { PersonRow } from './people.repository.ts';

/** Of one kind and one look; more are not counted. */
const FINDINGS_MAX = 500;

/** What time alone changes for a person: due dates, and acceptances that end. */
@Injectable()
export class DueLooks {
  constructor(
    private readonly findings: FindingsService,
    private readonly acceptances: AcceptancesRepository,
    private readonly keys: SubjectKeys,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /** What has come since the last look: one notification of each kind. @param now epoch ms */
  async look(person: HoldingPerson, row: PersonRow, now: number): Promise<NewNotification[]> {
    const { checkedThrough: since, kinds } = row;
    const found: NewNotification[] = [];
    for (const [kind, find] of [
      ['overdue', () => this.due(person, row, { overdue: 'true' }, [since, now])],
      ['dueSoon', () => this.dueSoon(person, row, since, now)],
      ['acceptanceEnding', () => this.acceptancesEnding(person, row, [since + AHEAD_MS, now + AHEAD_MS])],
    ] as [NotificationKind, () => Promise<string[]>][]) {
      if (!kinds.includes(kind)) continue;
      const ids = await find();
      if (ids.length === 0) continue;
      found.push({
        ...{ personId: row.personId, key: `${kind}:${since}`, kind, at: now, by: null },
        ...{ findings: ids.length, findingIds: ids.slice(0, FINDINGS_LISTED_MAX) },
      });
    }
    return found;
  }

  private dueSoon(person: HoldingPerson, row: PersonRow, since: number, now: number): Promise<string[]> {
    const until = now + AHEAD_MS;
    return this.due(person, row, { sla: 'due', dueBefore: until + 1 }, [
      Math.max(since + AHEAD_MS, now),
      until,
    ]);
  }

  /** Findings of the person and of its teams that are due after one instant and until another. */
  private async due(
    { name, rows }: HoldingPerson,
    { teams }: PersonRow,
    filter: Pick<FindingsQuery, 'overdue' | 'sla' | 'dueBefore'>,
    [after, until]: readonly [number, number],
  ): Promise<string[]> {
    const ids = new Set<string>();
    const assignees = [['user', name] as const, ...teams.map((team) => ['team', team] as const)];
    for (const [type, assignee] of assignees) {
      // The latest due dates come first.
      const query = { ...filter, assignee, sort: '-due' as const, limit: FINDINGS_MAX };
      const { items } = await this.findings.list(query, rows, UNHURRIED);
      for (const { id, due, assignee: found } of items) {
        const at = due === null ? Number.NaN : Date.parse(due);
        // A user and a team can have the same name.
        if (found?.type === type && at > after && at <= until) ids.add(id);
      }
    }
    return [...ids].slice(0, FINDINGS_MAX);
  }

  private async acceptancesEnding(
    { name, rows }: HoldingPerson,
    { teams }: PersonRow,
    window: readonly [number, number],
  ): Promise<string[]> {
    const names = await storedNames(this.keys, name);
    const keys = [
      ...names.map((user) => assigneeKey({ user })),
      ...teams.map((team) => assigneeKey({ team })),
    ];
    const { ownerRules: rules } = settingsInForce(this.settings());
    return this.acceptances.ending(window, { names, assignee: { keys, rules }, rows }, FINDINGS_MAX);
  }
}
