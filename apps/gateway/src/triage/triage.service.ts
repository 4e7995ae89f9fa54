import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import {
  type FindingCommented,
  type FindingDueSet,
  isoTime,
  settingsInForce,
  type TriageAct,
} from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import type { PendingAct } from '../acts/pending-act.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import type { ActOf } from '../finding-acts/act-of.ts';
import { FindingActs } from '../finding-acts/finding-acts.service.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingsService } from '../findings/findings.service.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { SETTINGS } from '../tokens.ts';
import type { CommentDto, CommentsQuery } from './comment.dto.ts';
import { CommentsRepository } from './comments.repository.ts';
import { mentionedNames } from './mentions.ts';
import type { CommentingDto, DueDto } from './triage.dto.ts';
import { dueSet } from './triage-acts.ts';

const MENTIONS_MAX = 20;

/** Acts of users on the work on single findings, and the comments. The fold decides. */
@Injectable()
export class TriageService {
  constructor(
    private readonly findings: FindingsService,
    private readonly findingActs: FindingActs,
    private readonly comments: CommentsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /**
   * The finding after the act, or the act's position if it was not folded within 10 s.
   * @throws NotFoundException, ConflictException (retired, a stale version, too many tags or tickets)
   */
  async perform(
    id: string,
    act: ActOf<TriageAct>,
    version: number | undefined,
    caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    const finding = await this.findings.get(id, {}, caller.rows);
    if (finding.state === 'Retired') {
      throw new ConflictException('the finding is Retired: only an active finding can be triaged');
    }
    return this.findingActs.perform(finding.id, act, version, caller);
  }

  /**
   * @param reason its path in the body
   * @throws BadRequestException if the date replaces that of the SLA without a reason (R-SLA-5)
   */
  dueSet(given: DueDto, reason = 'reason'): ActOf<FindingDueSet> {
    const act = dueSet(given);
    if (act.due !== null && act.reason === null && settingsInForce(this.settings()).sla !== null) {
      throw new BadRequestException(
        `${reason} is required, because the due date replaces that of the setting sla`,
      );
    }
    return act;
  }

  /** @throws BadRequestException if the text mentions too many names */
  async commented({ text }: CommentingDto): Promise<ActOf<FindingCommented>> {
    const mentioned = mentionedNames(text);
    const users = await this.comments.usersAmong(mentioned.flat());
    const names = [
      ...new Set(mentioned.map((named) => named.find((name) => users.has(name)) ?? named.at(-1)!)),
    ];
    if (names.length > MENTIONS_MAX) {
      throw new BadRequestException(`text must mention at most ${MENTIONS_MAX} names (got ${names.length})`);
    }
    return { type: 'FindingCommented', text, mentions: names.filter((name) => users.has(name)) };
  }

  /** Oldest first. @throws NotFoundException; also if there was no such finding yet at `asOf` */
  async commentsOf(id: string, query: CommentsQuery, rows: RowLimits): Promise<Page<CommentDto>> {
    const { limit, cursor, asOf } = query;
    const after = decodeKeys(cursor, 'number')?.[0] ?? 0;
    await this.findings.get(id, asOf === undefined ? {} : { asOf }, rows);
    const until = pastInstant(asOf, this.clock());
    const comments = await this.comments.list(id, { after, until, limit: limit + 1 }, rows);
    return pageFrom(
      comments,
      limit,
      ({ number }) => [number],
      ({ number, at, user, detail }) => ({
        id: String(number),
        at: isoTime(at),
        by: user,
        text: detail.text,
        mentions: detail.mentions,
      }),
    );
  }
}
