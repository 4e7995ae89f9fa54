import { Module } from '@nestjs/common';
import { ProjectionModule } from '../projection/projection.module.ts';
import { FoldLag } from './fold-lag.ts';
import { IdempotencyRepository } from './idempotency.repository.ts';
import { IdempotencyService } from './idempotency.service.ts';
import { JsonDay } from './json-day.ts';
import { JsonQuota } from './json-quota.ts';
import { JsonUploadsService } from './json-uploads.service.ts';
import { ReceiptsRepository } from './receipts.repository.ts';
import { SignalsController } from './signals.controller.ts';
import { UploadRequests } from './upload-requests.service.ts';
import { UploadsLog } from './uploads-log.ts';
import { ZipController } from './zip/zip.controller.ts';
import { ZipUploadsService } from './zip/zip-uploads.service.ts';
import { ZipWorkers } from './zip/zip-workers.ts';

@Module({
  imports: [ProjectionModule],
  controllers: [SignalsController, ZipController],
  providers: [
    IdempotencyRepository,
    IdempotencyService,
    JsonDay,
    JsonQuota,
    JsonUploadsService,
    FoldLag,
    ReceiptsRepository,
    UploadRequests,
    UploadsLog,
    ZipUploadsService,
    ZipWorkers,
  ],
  exports: [FoldLag, JsonQuota, JsonUploadsService, UploadRequests, UploadsLog, ZipUploadsService],
})
export class SignalsModule {}
