import { Module } from '@nestjs/common';
import { SignalsModule } from '../signals/signals.module.ts';
import { InboxConsumer } from './inbox.consumer.ts';
import { InboxService } from './inbox.service.ts';
import { InboxPositions } from './inbox-positions.repository.ts';
import { RefusedSignals } from './refused-signals.ts';

/** Reads only in programs that follow the group `INBOX`. */
@Module({
  imports: [SignalsModule],
  controllers: [InboxConsumer],
  providers: [InboxPositions, InboxService, RefusedSignals],
})
export class InboxModule {}
