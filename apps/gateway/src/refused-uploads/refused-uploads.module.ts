import { Module } from '@nestjs/common';
import { RefusedUploadsController } from './refused-uploads.controller.ts';
import { RefusedUploadsRepository } from './refused-uploads.repository.ts';
import { RefusedUploads } from './refused-uploads.service.ts';

@Module({
  controllers: [RefusedUploadsController],
  providers: [RefusedUploadsRepository, RefusedUploads],
  exports: [RefusedUploads],
})
export class RefusedUploadsModule {}
