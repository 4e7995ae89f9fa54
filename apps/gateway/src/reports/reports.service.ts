import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, PayloadTooLargeException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Config } from '#libs/config';
import { decidedAt, type FindingType, isoTimeOrNull, noCounts, type Reading } from '#libs/domain';
import type { Format, SeverityLevel } from '#libs/reports';
import { UploadContentException } from '../http/http-errors.ts';
import { Slots } from '../http/slots.ts';
import { whenClosed } from '../http/when-closed.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { type UploadRequest, UploadRequests } from '../signals/upload-requests.service.ts';
import { ZipUploadsService } from '../signals/zip/zip-uploads.service.ts';
import { CONFIG, SETTINGS } from '../tokens.ts';
import type { ReportAnswerDto, ReportPreviewDto } from './report.dto.ts';
import { REPORTS_MAX } from './report-limits.ts';
import type { ReportOutcome } from './report-worker.ts';
import { ReportWorkers } from './report-workers.ts';

/** How a report is taken. */
export interface ReportOptions {
  /** Null: recognised from the report. */
  format: Format | null;
  asset: string | null;
  /** Null: the tool. */
  source: string | null;
  replace: FindingType[];
  allowEmpty: boolean;
  /** Epoch milliseconds; null: the time of arrival. */
  observedAt: number | null;
  minSeverity: SeverityLevel;
}

/** A report that was received, in a folder of its own until it is released. */
export interface ReceivedReport {
  folder: string;
  path: string;
  sha256: Buffer;
  /** Aborted when the client hangs up. */
  signal: AbortSignal;
  /** Removes its files, then frees its slot. */
  release: () => Promise<void>;
}

type Converted = { report: ReportOutcome; zip: Uint8Array<ArrayBuffer> | null };

/** Scanner reports as uploads: received into a file, converted by a worker, then taken as a ZIP of signals. */
@Injectable()
export class ReportsService {
  private readonly slots = new Slots({ max: REPORTS_MAX, retrySeconds: 5, reason: 'reports' });

  constructor(
    private readonly requests: UploadRequests,
    private readonly zips: ZipUploadsService,
    private readonly workers: ReportWorkers,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Receives a report, works with it, and releases it in any case.
   * @param receive writes the report to a path, and returns its SHA-256
   * @throws RetryLaterException (429) if too many are in progress already; errors of `receive` and of `work`
   */
  withReport<T>(
    receive: (path: string) => Promise<Buffer>,
    reply: FastifyReply,
    work: (report: ReceivedReport) => Promise<T>,
  ): Promise<T> {
    return this.slots.run(async (free) => {
      const hangUp = new AbortController();
      whenClosed(reply, () => hangUp.abort());
      const folder = await mkdtemp(join(tmpdir(), 'posture-report-'));
      const release = async () => {
        await rm(folder, { recursive: true, force: true });
        free();
      };
      try {
        const path = join(folder, 'report');
        const sha256 = await receive(path);
        return await work({ folder, path, sha256, signal: hangUp.signal, release });
      } finally {
        await release();
      }
    });
  }

  /**
   * Resolves when the log has every signal, and releases the report before a wait for the fold.
   * @param beforeAppend runs when the report is converted and nothing is appended; if it throws, nothing will be. A repeated
   * request, whose answer is stored, does not run it
   * @throws UploadContentException (400), PayloadTooLargeException (413), errors of `beforeAppend`: nothing is appended
   * @throws RetryLaterException (429), LogUnavailableError
   */
  upload(
    received: ReceivedReport,
    options: ReportOptions,
    request: Omit<UploadRequest, 'bodySha256' | 'settingsVersion' | 'onStored'>,
    reply: FastifyReply,
    beforeAppend: () => Promise<unknown> = async () => {},
  ): Promise<ReportAnswerDto> {
    const { caller } = request;
    const bodySha256 = () =>
      createHash('sha256')
        .update(`report ${JSON.stringify({ ...options, format: options.format?.name })}\n`)
        .update(received.sha256)
        .digest();
    const settingsVersion = this.settings().version;
    const keyed = { ...request, bodySha256, settingsVersion, onStored: received.release };
    return this.requests.answer(keyed, reply, async (identity, appendedOffsets, assertSame) => {
      const { report, zip } = await this.convert(received, options, identity);
      await beforeAppend();
      if (zip === null) {
        await assertSame([], sha256(new Uint8Array()));
        return nothingIn(report);
      }
      // The worker takes the memory of the ZIP.
      const converted = sha256(zip);
      const zipOptions = {
        skipsInvalid: false,
        assertSame: (subjects: Iterable<string>) => assertSame(subjects, converted),
      };
      const taken = await this.zips.upload(zip, zipOptions, identity, caller, appendedOffsets);
      const { uploadId, accepted, ignored, warnings } = taken;
      return { success: true, message: inWords(report), uploadId, accepted, ignored, warnings, ...report };
    });
  }

  /** What the report would change on top of the current projections; nothing is appended. @throws as `upload` */
  async preview(
    received: ReceivedReport,
    options: ReportOptions,
    { caller }: Pick<UploadRequest, 'caller'>,
  ): Promise<ReportPreviewDto> {
    const { report, zip } = await this.convert(received, options, this.clock.read());
    const changes = zip === null ? NO_CHANGES : await this.zips.preview(zip, { skipsInvalid: false }, caller);
    return { ...changes, ...report };
  }

  private async convert(
    { folder, path, signal }: ReceivedReport,
    { format, asset, source, replace, allowEmpty, observedAt, minSeverity }: ReportOptions,
    reading: Reading,
  ): Promise<Converted> {
    const settings = this.settings();
    const spilled = join(folder, `spilled-${randomUUID()}`);
    await mkdir(spilled, { mode: 0o700 });
    const { assetMatching: matching } = settings;
    const result = await this.workers.convert(
      {
        path,
        folder: spilled,
        mapFolder: this.config.mapFolder,
        format: format?.name ?? null,
        rules: { asset, source, matching, observedAt: isoTimeOrNull(observedAt), minSeverity },
        replace,
        allowEmpty,
        service: { receivedAt: decidedAt(reading), settings },
      },
      signal,
    );
    if (!('refused' in result)) return { report: result.outcome, zip: result.zip };
    throw result.isTooLarge
      ? new PayloadTooLargeException(result.refused)
      : new UploadContentException(result.refused);
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const inWords = ({ signals, assets, read, mapped }: ReportOutcome): string =>
  `${signals} signals of ${assets} assets accepted: ${mapped} of ${read} findings are mapped, ${read - mapped} are listed`;

const nothingIn = (report: ReportOutcome): ReportAnswerDto => ({
  success: true,
  message: `nothing was stored: the report contains no signals, and ${report.read - report.mapped} of its findings are listed`,
  uploadId: null,
  accepted: 0,
  ignored: 0,
  warnings: [],
  ...report,
});

const NO_CHANGES = {
  dryRun: true as const,
  accepted: 0,
  ignored: 0,
  rejected: 0,
  errors: [],
  warnings: [],
  outcome: noCounts(),
  merged: [],
  unrecognisedTags: [],
  findings: [],
  findingsLeftOut: 0,
};
