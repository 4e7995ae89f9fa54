import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LogRecord } from '#libs/event-log';
import { LogFile } from '#libs/log-archive';
import { signalsAndActs } from './events/1-signals-and-acts.ts';
import { organizationActs } from './events/2-organization.ts';
import { catalogueImports } from './events/3-catalogues.ts';
import { integrationActs } from './events/4-integrations.ts';
import { webhookActs } from './events/5-webhooks.ts';
import { changedMeanings } from './events/6-rules-2.ts';
import { twoClocks } from './events/7-rules-3.ts';
import { correctedClocks } from './events/8-corrected-clocks.ts';
import { effectiveImports } from './events/9-effective-imports.ts';
import { edrManagement } from './events/10-rules-4.ts';
import { modelOfNewLogs } from './events/11-model-of-new-logs.ts';
import { erasures } from './events/12-erasures.ts';
import { statementsOfSources } from './events/15-rules-5.ts';
import { beforeSealing, sealedLog } from './events/16-sealed-log.ts';
import { historyRetention } from './events/17-history-retention.ts';
import { triageActs } from './events/18-triage.ts';
import { sealedMachines } from './events/19-sealed-machines.ts';
import { failingPeriods } from './events/20-rules-6.ts';
import { plans } from './events/21-plans.ts';
import { ownerRules } from './events/22-owner-rules.ts';
import { repartitionedLog } from './events/23-repartitioned-log.ts';
import { namesApart } from './events/24-rules-7.ts';
import { erasuresByRetention } from './events/25-erasures-by-retention.ts';
import { lateUploads } from './events/26-rules-8.ts';
import { changesOfOptions } from './events/27-changes-of-options.ts';
import { mixedRules } from './events/28-mixed-rules.ts';
import { fieldsAndTags } from './events/29-rules-9.ts';
import { typesAndDefaults } from './events/30-rules-10.ts';
import { liveAssetsAndLaterEnds } from './events/31-rules-11.ts';

/**
 * Golden logs: `logs/NAME.posture-log` has events of released schemas, `logs/NAME.rows.jsonl` the rows to which every
 * version folds them, one a line. Neither ever changes. A new schema version, or number of rules, is a new log: its
 * events are built by a module of `events/` named here, and recorded by `npm run golden`. A recorded log no longer
 * needs that module.
 */
export const BUILDERS: Readonly<Record<string, () => LogRecord[][]>> = {
  '1-signals-and-acts': signalsAndActs,
  '2-organization': organizationActs,
  '3-catalogues': catalogueImports,
  '4-integrations': integrationActs,
  '5-webhooks': webhookActs,
  '6-rules-2': changedMeanings,
  '7-rules-3': twoClocks,
  '8-corrected-clocks': correctedClocks,
  '9-effective-imports': effectiveImports,
  '10-rules-4': edrManagement,
  '11-model-of-new-logs': modelOfNewLogs,
  '12-erasures': erasures,
  '15-rules-5': statementsOfSources,
  '16-before-sealing': beforeSealing,
  '16-sealed-log': sealedLog,
  '17-history-retention': historyRetention,
  '18-triage': triageActs,
  '19-sealed-machines': sealedMachines,
  '20-rules-6': failingPeriods,
  '21-plans': plans,
  '22-owner-rules': ownerRules,
  '23-repartitioned-log': repartitionedLog,
  '24-rules-7': namesApart,
  '25-erasures-by-retention': erasuresByRetention,
  '26-rules-8': lateUploads,
  '27-changes-of-options': changesOfOptions,
  '28-mixed-rules': mixedRules,
  '29-rules-9': fieldsAndTags,
  '30-rules-10': typesAndDefaults,
  '31-rules-11': liveAssetsAndLaterEnds,
};

const FOLDER = fileURLToPath(new URL('./logs/', import.meta.url));

/** A golden log by its name. */
export class GoldenLog {
  constructor(readonly name: string) {}

  static async all(): Promise<GoldenLog[]> {
    const names = (await readdir(FOLDER)).flatMap((file) => /^(.+)\.posture-log$/.exec(file)?.[1] ?? []);
    return names.sort().map((name) => new GoldenLog(name));
  }

  get logPath(): string {
    return `${FOLDER}${this.name}.posture-log`;
  }

  get rowsPath(): string {
    return `${FOLDER}${this.name}.rows.jsonl`;
  }

  /** Whether there is anything of it: half a recording is no reason to overwrite the other half. */
  get isRecorded(): boolean {
    return existsSync(this.logPath) || existsSync(this.rowsPath);
  }

  async open(): Promise<LogFile> {
    return LogFile.open(this.logPath);
  }

  /** Its recorded rows, a JSON text each. */
  async rows(): Promise<string[]> {
    return (await readFile(this.rowsPath, 'utf8')).split('\n').slice(0, -1);
  }
}
