import { Injectable } from '@nestjs/common';
import { isoTime } from '#libs/domain';
import type { ReadingInstant } from '#libs/scores';
import { TextOpener } from '#libs/sealing';
import type { RowLimits } from '#libs/tables';
import { assetFacts, pointsOf } from '#libs/views';
import type { AssetRow } from '../assets/asset-row.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { FindingCounts } from '../findings/finding-counts.service.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { SettingsAtRepository } from '../findings/settings-at.repository.ts';
import { Slots } from '../http/slots.ts';
import type { PastReader } from '../paging/past-reads.ts';
import { ReportInstants } from '../report-pages/report-instants.ts';
import { requestOf } from '../report-pages/request-of.ts';
import { technicalFinding } from './technical-finding.ts';
import {
  REPORTED,
  type TechnicalAssetDto,
  type TechnicalFindingDto,
  type TechnicalReportDto,
  type TechnicalReportQuery,
} from './technical-report.dto.ts';

/** Composes the technical report from the queries of the interface. */
@Injectable()
export class TechnicalReports {
  /** Each can read the history of many findings. */
  private readonly slots = new Slots({ max: 2, retrySeconds: 10, reason: 'exports' });

  constructor(
    private readonly instants: ReportInstants,
    private readonly findings: FindingsService,
    private readonly settings: SettingsAtRepository,
    private readonly counts: FindingCounts,
    private readonly assets: AssetsAsOfRepository,
    private readonly opener: TextOpener,
  ) {}

  /**
   * Sealed texts are opened.
   * @param signal ends the reading of findings before its next step, with its reason
   * @throws RetryLaterException if two reports are in progress; GoneException if the history of the instant was removed;
   * BadRequestException if it would read the history of too many findings
   */
  report(
    { asOf, ...selection }: TechnicalReportQuery,
    rows: RowLimits,
    signal: AbortSignal,
  ): Promise<TechnicalReportDto> {
    const reader = { credentialId: null, signal };
    const compose = (instant: ReadingInstant) => this.compose(selection, rows, instant, reader);
    return this.slots.run(async () => this.opener.value(await this.instants.compose(asOf, compose)));
  }

  private async compose(
    { limit, ...filter }: Omit<TechnicalReportQuery, 'asOf'>,
    rows: RowLimits,
    instant: ReadingInstant,
    reader: PastReader,
  ): Promise<TechnicalReportDto> {
    await this.findings.assertReportable(filter, instant, 'filter by type or assetId');
    const { at } = instant;
    const { sla, slaBySeverityOnly } = await this.settings.slaOfReport(instant);
    const totals = await this.counts.countAt(filter, rows, instant, reader, sla);
    const query = { ...filter, sort: '-severity', limit };
    const opened = async (page: FindingDto[]) => (await this.opener.value(page)).map(technicalFinding);
    const findings =
      totals.total === 0 ? [] : await this.findings.reported(query, rows, instant, reader, opened, sla);
    return {
      request: requestOf('/api/v3/reports/technical', { ...filter, limit, asOf: at }),
      at: isoTime(at),
      limits: rows,
      slaBySeverityOnly,
      totals,
      assets: await this.assetsOf(findings, at, rows),
      findings,
    };
  }

  private async assetsOf(
    findings: readonly TechnicalFindingDto[],
    at: number,
    visible: RowLimits,
  ): Promise<TechnicalAssetDto[]> {
    const counts = new Map<string, number>();
    for (const { assetId } of findings) counts.set(assetId, (counts.get(assetId) ?? 0) + 1);
    const assets: TechnicalAssetDto[] = [];
    for await (const rows of this.assets.byIds([...counts.keys()], at, visible)) {
      assets.push(...rows.map((row) => technicalAsset(row, counts.get(row.asset.id)!)));
    }
    return assets.sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1));
  }
}

function technicalAsset({ asset, score }: AssetRow, findings: number): TechnicalAssetDto {
  const { id, name, type, attackSurface, department, location, criticality, fqdn, ipAddresses, os } =
    assetFacts(asset);
  const place = { type, attackSurface, department, location, criticality };
  const addresses = {
    ipAddresses: ipAddresses.slice(0, REPORTED.addresses),
    ipAddressCount: ipAddresses.length,
  };
  return { ...{ id, name, ...place, fqdn, ...addresses, os, score: pointsOf(score) }, findings };
}
