import type { PulledPage, PullFailure } from '#libs/integrations';
import type { AppendedPage } from './append-page.ts';
import type { EndReason } from './sync-interrupted.ts';
import type { SyncEnd, SyncState } from './sync-runs.repository.ts';

/** Of the history row; the rest is counted. */
const LISTED_MAX = 100;
/** 100 is reported only by the end of the stage, when the log contains all pages. */
const PERCENT_MAX = 99;
const UNMAPPED =
  'vulnerabilities without a CVE are skipped: the setting platformVersion is below 4.1, which requires one';

/** The progress of a sync. */
export class SyncProgress {
  private readonly errors: PullFailure[] = [];
  private readonly notices = new Set<string>();
  private readonly ignored: Record<string, number> = {};
  private failed = 0;
  private records = 0;
  private signals = 0;
  private pages = 0;
  private uploads = 0;
  private percent = 0;
  private since: string | null = null;
  private watermark: string | null = null;

  /** @param since its start */
  begin(since: string | null): void {
    this.since = since;
    this.watermark = since;
  }

  /** The next sync begins after its start. Without an order of changes, the watermark stays until the end. */
  get hasMoved(): boolean {
    return this.watermark !== this.since;
  }

  /** The page is on the log. */
  add(page: PulledPage, appended: AppendedPage): void {
    this.pages++;
    this.records += page.records;
    this.addUpload(appended);
    for (const failure of page.failed) this.fail(failure);
    for (const notice of page.notices) this.remark(notice);
    this.ignore(page.ignored);
    this.watermark = page.watermark;
    const { done, of } = page.progress;
    if (of !== null && of > 0) this.percent = Math.min(PERCENT_MAX, Math.floor((100 * done) / of));
  }

  /** Signals are on the log, of a page or caused by one. */
  addUpload({ signals, refused, unmapped }: AppendedPage): void {
    this.signals += signals;
    if (signals > 0) this.uploads++;
    for (const failure of refused) this.fail(failure);
    if (unmapped === 0) return;
    this.remark(UNMAPPED);
    this.ignore({ unmapped });
  }

  private ignore(counts: Record<string, number>): void {
    for (const [reason, count] of Object.entries(counts)) {
      this.ignored[reason] = (this.ignored[reason] ?? 0) + count;
    }
  }

  remark(notice: string): void {
    if (this.notices.size < LISTED_MAX) this.notices.add(notice);
  }

  fail(failure: PullFailure): void {
    this.failed++;
    if (this.errors.length < LISTED_MAX) this.errors.push(failure);
  }

  get state(): SyncState {
    const { percent, errors, watermark, uploads } = this;
    return {
      percent,
      errors,
      watermark,
      uploads,
      counts: {
        pages: this.pages,
        records: this.records,
        signals: this.signals,
        ignored: this.ignored,
        failed: this.failed,
        notices: [...this.notices],
      },
    };
  }

  /** The pull ended: a success, a partial one if something failed, an error if nothing else came. */
  completed(): SyncEnd {
    const state = { ...this.state, percent: 100, endReason: null };
    if (this.failed === 0) return { ...state, stage: 'COMPLETED', status: 0 };
    if (this.signals > 0) return { ...state, stage: 'COMPLETED', status: 3 };
    return { ...state, percent: this.percent, stage: 'ERROR', status: 2 };
  }

  /** The pull was interrupted: applied pages stay. The cause is the first error, however many records failed before. */
  cutOff(message: string, endReason: EndReason | null): SyncEnd {
    this.failed++;
    const errors = [{ what: 'sync', message }, ...this.errors].slice(0, LISTED_MAX);
    return { ...this.state, errors, stage: 'ERROR', status: 2, endReason };
  }
}
