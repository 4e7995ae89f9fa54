import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CataloguesRepository } from './catalogues.repository.ts';
import { DecisionsRepository } from './decisions.repository.ts';
import { FindingCountsRepository } from './finding-counts.repository.ts';
import { FindingCounts } from './finding-counts.service.ts';
import { FindingGroupsRepository } from './finding-groups.repository.ts';
import { FindingGroups } from './finding-groups.service.ts';
import { FindingTexts } from './finding-texts.service.ts';
import { FindingTotalsRepository } from './finding-totals.repository.ts';
import { FindingsController } from './findings.controller.ts';
import { FindingsRepository } from './findings.repository.ts';
import { FindingsService } from './findings.service.ts';
import { FindingsAsOfRepository } from './findings-as-of.repository.ts';
import { FindingsExport } from './findings-export.service.ts';
import { RemediationRepository } from './remediation.repository.ts';
import { Remediation } from './remediation.service.ts';
import { SettingsAtRepository } from './settings-at.repository.ts';
import { StoredFilters } from './stored-filters.ts';

@Module({
  imports: [PagingModule, UploadsModule],
  controllers: [FindingsController],
  providers: [
    FindingsRepository,
    FindingsAsOfRepository,
    CataloguesRepository,
    DecisionsRepository,
    FindingsService,
    FindingCountsRepository,
    FindingTotalsRepository,
    FindingCounts,
    FindingGroupsRepository,
    FindingGroups,
    FindingTexts,
    FindingsExport,
    RemediationRepository,
    Remediation,
    SettingsAtRepository,
    StoredFilters,
  ],
  exports: [
    CataloguesRepository,
    FindingCounts,
    FindingTotalsRepository,
    FindingsAsOfRepository,
    FindingsService,
    SettingsAtRepository,
    StoredFilters,
  ],
})
export class FindingsModule {}
