import { Module } from '@nestjs/common';
import { ProjectionModule } from '../projection/projection.module.ts';
import { SignalsModule } from '../signals/signals.module.ts';
import { InboxConsumer } from './inbox.consumer.ts';
import { InboxService } from './inbox.service.ts';
import { InboxPositions } from './inbox-positions.repository.ts';
import { RefusedSignals } from './refused-signals.ts';
import { TakenSignals } from './taken-signals.ts';

/** Reads only in programs that follow the group `INBOX`. */
@Module({
  imports: [ProjectionModule, SignalsModule],
  controllers: [InboxConsumer],
  providers: [InboxPositions, InboxService, RefusedSignals, TakenSignals],
})
export class InboxModule {}
