import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import {
  bySeverityOnly,
  distinguishesDecisions,
  ORGANIZATION_KEY,
  type Settings,
  type Sla,
  settingsInForce,
} from '#libs/domain';
import type { ReadingInstant } from '#libs/scores';
import type { SettingsSource } from '../organization/settings-source.ts';
import { SETTINGS } from '../tokens.ts';
import type { SettingsOfFilter } from './stored-filters.ts';

/** The settings by which due dates and owners are derived at read (ADR-0122). */
@Injectable()
export class SettingsAtRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /** Those in force, or at a past instant (epoch milliseconds). */
  async at(past: number | null): Promise<SettingsOfFilter> {
    if (past === null) {
      const { sla, ownerRules } = settingsInForce(this.settings());
      return { sla, ownerRules };
    }
    const [sla, ownerRules] = await Promise.all([
      this.settingAt('sla', past),
      this.settingAt('ownerRules', past),
    ]);
    return { sla: sla ?? null, ownerRules: ownerRules ?? [] };
  }

  /**
   * The SLA by which a report filters and sorts: by severity only, since it can be repeated and past decisions are not
   * stored. Also whether the SLA has days that this leaves out.
   */
  async slaOfReport({
    at,
    isPast,
  }: ReadingInstant): Promise<{ sla: Sla | null; slaBySeverityOnly: boolean }> {
    const { sla } = await this.at(isPast ? at : null);
    if (sla === null) return { sla, slaBySeverityOnly: false };
    return { sla: bySeverityOnly(sla), slaBySeverityOnly: distinguishesDecisions(sla) };
  }

  /** The audit trail has every change of a setting; undefined if it was not set yet. */
  private async settingAt<Name extends keyof Settings>(
    name: Name,
    past: number,
  ): Promise<Settings[Name] | undefined> {
    const value = sql`(a.detail -> 'after' -> ${name}::text)`;
    const { rows } = await sql<{ value: Settings[Name] }>`
      select ${value} as value
      from organization o join acts a on a.partition = o.partition
      where o.entity_key = ${ORGANIZATION_KEY} and a.target = 'settings' and a.refused is null
        and a.at <= ${instant(past)} and ${value} is not null
      order by a.log_offset desc limit 1`.execute(this.db);
    return rows[0]?.value;
  }
}
