import { Module } from '@nestjs/common';
import { ChangeHeads } from './change-heads.ts';
import { ChangeTexts } from './change-texts.ts';
import { ChangesController } from './changes.controller.ts';
import { ChangesService } from './changes.service.ts';

@Module({
  controllers: [ChangesController],
  providers: [ChangeHeads, ChangeTexts, ChangesService],
  exports: [ChangeHeads],
})
export class ChangesModule {}
