import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '#libs/database';
import { Vault } from '#libs/vault';
import { WebhookSecrets } from '#libs/webhooks';
import { ActsModule } from '../acts/acts.module.ts';
import { ChangesModule } from '../changes/changes.module.ts';
import { EgressModule } from '../egress/egress.module.ts';
import { SECRET_KEYS } from '../tokens.ts';
import { WebhookTests } from './webhook-tests.service.ts';
import { WebhooksController } from './webhooks.controller.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

@Module({
  imports: [ActsModule, ChangesModule, EgressModule],
  controllers: [WebhooksController],
  providers: [
    {
      provide: WebhookSecrets,
      inject: [DATABASE, SECRET_KEYS],
      useFactory: (db: Database['db'], keys: Buffer[]) => new WebhookSecrets(db, new Vault(keys)),
    },
    WebhooksRepository,
    WebhooksService,
    WebhookTests,
  ],
})
export class WebhooksModule {}
