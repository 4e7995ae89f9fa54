import { Module } from '@nestjs/common';
import { FindingsModule } from '../findings/findings.module.ts';
import { PagingModule } from '../paging/paging.module.ts';
import { AssetCountsRepository } from './asset-counts.repository.ts';
import { AssetCounts } from './asset-counts.service.ts';
import { AssetCoverage } from './asset-coverage.service.ts';
import { AssetsController } from './assets.controller.ts';
import { AssetsRepository } from './assets.repository.ts';
import { AssetsService } from './assets.service.ts';
import { AssetsAsOfRepository } from './assets-as-of.repository.ts';
import { AssetsExport } from './assets-export.service.ts';

@Module({
  imports: [FindingsModule, PagingModule],
  controllers: [AssetsController],
  providers: [
    AssetsRepository,
    AssetsAsOfRepository,
    AssetsService,
    AssetCountsRepository,
    AssetCounts,
    AssetCoverage,
    AssetsExport,
  ],
  exports: [AssetsRepository, AssetsAsOfRepository, AssetsService],
})
export class AssetsModule {}
