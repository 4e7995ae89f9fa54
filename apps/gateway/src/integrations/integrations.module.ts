import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '#libs/database';
import { IntegrationSecrets } from '#libs/integration-store';
import { Vault } from '#libs/vault';
import { ActsModule } from '../acts/acts.module.ts';
import { AssetsModule } from '../assets/assets.module.ts';
import { EgressModule } from '../egress/egress.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { SECRET_KEYS } from '../tokens.ts';
import { ConnectionTests } from './connection-tests.service.ts';
import { IntegrationViews } from './integration-views.service.ts';
import { IntegrationsController } from './integrations.controller.ts';
import { IntegrationsService } from './integrations.service.ts';
import { SyncsRepository } from './syncs.repository.ts';
import { SyncsService } from './syncs.service.ts';

@Module({
  imports: [ActsModule, AssetsModule, EgressModule, FindingsModule],
  controllers: [IntegrationsController],
  providers: [
    {
      provide: IntegrationSecrets,
      inject: [DATABASE, SECRET_KEYS],
      useFactory: (db: Database['db'], keys: Buffer[]) => new IntegrationSecrets(db, new Vault(keys)),
    },
    IntegrationsService,
    IntegrationViews,
    ConnectionTests,
    SyncsRepository,
    SyncsService,
  ],
})
export class IntegrationsModule {}
