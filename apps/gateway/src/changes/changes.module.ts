import { Module } from '@nestjs/common';
import { CursorSeal } from '#libs/changes';
import { SECRET_KEYS } from '../tokens.ts';
import { CallerCursors } from './caller-cursors.ts';
import { ChangeHeads } from './change-heads.ts';
import { ChangeTexts } from './change-texts.ts';
import { ChangesController } from './changes.controller.ts';
import { ChangesService } from './changes.service.ts';
import { LimitedChanges } from './limited-changes.ts';

@Module({
  controllers: [ChangesController],
  providers: [
    CallerCursors,
    ChangeHeads,
    ChangeTexts,
    LimitedChanges,
    ChangesService,
    {
      provide: CursorSeal,
      inject: [SECRET_KEYS],
      useFactory: (keys: Buffer[]) => new CursorSeal(keys),
    },
  ],
  exports: [CallerCursors, ChangeHeads],
})
export class ChangesModule {}
