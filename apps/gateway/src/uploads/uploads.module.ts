import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.ts';
import { ChangedFindingsOfUploads } from './changed-findings.service.ts';
import { UploadChangesRepository } from './upload-changes.repository.ts';
import { UploadChangesService } from './upload-changes.service.ts';
import { UploadsController } from './uploads.controller.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadsService } from './uploads.service.ts';

@Module({
  imports: [PagingModule],
  controllers: [UploadsController],
  providers: [
    UploadsRepository,
    UploadsService,
    UploadChangesRepository,
    UploadChangesService,
    ChangedFindingsOfUploads,
  ],
  exports: [ChangedFindingsOfUploads],
})
export class UploadsModule {}
