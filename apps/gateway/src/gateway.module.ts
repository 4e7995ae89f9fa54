import { type DynamicModule, Module } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Config, type Logger, loadSecretKeys } from '#libs/config';
import { DATABASE, DATABASE_POOL, type Database } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { IntegrationSecrets } from '#libs/integration-store';
import { commonChecks, METRICS_TOKEN, READINESS } from '#libs/program';
import { RegisteredSchemas, SCHEMA_REGISTRY, schemaRegistryOf } from '#libs/schema-registry';
import { Vault } from '#libs/vault';
import { WebhookSecrets } from '#libs/webhooks';
import { AcceptanceController } from './acceptance/acceptance.controller.ts';
import { AcceptanceService } from './acceptance/acceptance.service.ts';
import { ActedOnFindings } from './acceptance/acted-on-findings.ts';
import { ActsController } from './acts/acts.controller.ts';
import { ActsRepository } from './acts/acts.repository.ts';
import { ActsService } from './acts/acts.service.ts';
import { AssetCountsRepository } from './assets/asset-counts.repository.ts';
import { AssetCounts } from './assets/asset-counts.service.ts';
import { AssetsController } from './assets/assets.controller.ts';
import { AssetsRepository } from './assets/assets.repository.ts';
import { AssetsService } from './assets/assets.service.ts';
import { AssetsAsOfRepository } from './assets/assets-as-of.repository.ts';
import { AssetsExport } from './assets/assets-export.service.ts';
import { AccessInterceptor } from './auth/access.interceptor.ts';
import { AccessTokens } from './auth/access-tokens.ts';
import { AccessWatch } from './auth/access-watch.ts';
import { AuthController } from './auth/auth.controller.ts';
import { AuthGuard } from './auth/auth.guard.ts';
import { AuthService } from './auth/auth.service.ts';
import { CredentialsController } from './auth/credentials.controller.ts';
import { CredentialsRepository } from './auth/credentials.repository.ts';
import { CredentialsService } from './auth/credentials.service.ts';
import { KnownCredentials } from './auth/known-credentials.ts';
import { PasswordHasher } from './auth/password-hasher.ts';
import { SignInLimits } from './auth/sign-in-limits.ts';
import { ChangeHeads } from './changes/change-heads.ts';
import { ChangeTexts } from './changes/change-texts.ts';
import { ChangesController } from './changes/changes.controller.ts';
import { ChangesService } from './changes/changes.service.ts';
import { EgressController } from './egress/egress.controller.ts';
import { EgressDto, egressView } from './egress/egress.dto.ts';
import { CveStatesRepository } from './findings/cve-states.repository.ts';
import { FindingCountsRepository } from './findings/finding-counts.repository.ts';
import { FindingCounts } from './findings/finding-counts.service.ts';
import { FindingTexts } from './findings/finding-texts.service.ts';
import { FindingsController } from './findings/findings.controller.ts';
import { FindingsRepository } from './findings/findings.repository.ts';
import { FindingsService } from './findings/findings.service.ts';
import { FindingsAsOfRepository } from './findings/findings-as-of.repository.ts';
import { FindingsExport } from './findings/findings-export.service.ts';
import { GatewayHealthController } from './health/gateway-health.controller.ts';
import { GatewayMetricsController } from './health/gateway-metrics.controller.ts';
import { BodyInterceptor } from './http/body.interceptor.ts';
import { ConnectionTests } from './integrations/connection-tests.service.ts';
import { EgressCloser, egressProvider } from './integrations/egress-provider.ts';
import { IntegrationViews } from './integrations/integration-views.service.ts';
import { IntegrationsController } from './integrations/integrations.controller.ts';
import { IntegrationsService } from './integrations/integrations.service.ts';
import { SyncsRepository } from './integrations/syncs.repository.ts';
import { SyncsService } from './integrations/syncs.service.ts';
import { DepartmentsController, LocationsController } from './organization/asset-options.controller.ts';
import { CustomFieldsController } from './organization/custom-fields.controller.ts';
import { OrganizationActs } from './organization/organization-acts.service.ts';
import { OrganizationStore } from './organization/organization-store.ts';
import { OsMappingController } from './organization/os-mapping.controller.ts';
import { SettingsController } from './organization/settings.controller.ts';
import { ExportSlots } from './paging/export-slots.ts';
import { KnownSchemas } from './schemas/known-schemas.ts';
import { SchemasController } from './schemas/schemas.controller.ts';
import { SchemasService } from './schemas/schemas.service.ts';
import { ActiveFindingsRepository } from './scores/active-findings.repository.ts';
import { AssetRanking } from './scores/asset-ranking.service.ts';
import { AssetScoreController } from './scores/asset-score.controller.ts';
import { AssetScores } from './scores/asset-score.service.ts';
import { ExplainController } from './scores/explain.controller.ts';
import { ExplainRepository } from './scores/explain.repository.ts';
import { Explanations } from './scores/explain.service.ts';
import { FixesController } from './scores/fixes.controller.ts';
import { FixesRepository } from './scores/fixes.repository.ts';
import { Fixes } from './scores/fixes.service.ts';
import { RankedAssetsRepository } from './scores/ranked-assets.repository.ts';
import { RiskSumsRepository } from './scores/risk-sums.repository.ts';
import { ScoreHistoryRepository } from './scores/score-history.repository.ts';
import { ScoreHistory } from './scores/score-history.service.ts';
import { ScoreSlots } from './scores/score-slots.ts';
import { ScoredInstants } from './scores/scored-at.ts';
import { ScoresController } from './scores/scores.controller.ts';
import { Scores } from './scores/scores.service.ts';
import { WhatIfController } from './scores/what-if.controller.ts';
import { WhatIfRepository } from './scores/what-if.repository.ts';
import { WhatIfs } from './scores/what-if.service.ts';
import { SecurityEventsController } from './security-events/security-events.controller.ts';
import { SecurityEventsRepository } from './security-events/security-events.repository.ts';
import { SECURITY_EVENTS_DAYS, SecurityEvents } from './security-events/security-events.service.ts';
import { FoldLag } from './signals/fold-lag.ts';
import { IdempotencyRepository } from './signals/idempotency.repository.ts';
import { IdempotencyService } from './signals/idempotency.service.ts';
import { JsonDay } from './signals/json-day.ts';
import { JsonQuota } from './signals/json-quota.ts';
import { JsonUploadsService } from './signals/json-uploads.service.ts';
import { ProjectionPositions } from './signals/projection-positions.repository.ts';
import { ProjectionWaiter } from './signals/projection-waiter.ts';
import { ReceiptsRepository } from './signals/receipts.repository.ts';
import type { SettingsSource } from './signals/settings-source.ts';
import { SignalsController } from './signals/signals.controller.ts';
import { UploadRequests } from './signals/upload-requests.service.ts';
import { UploadsLog } from './signals/uploads-log.ts';
import { ZipController } from './signals/zip/zip.controller.ts';
import { ZipUploadsService } from './signals/zip/zip-uploads.service.ts';
import { ZipWorkers } from './signals/zip/zip-workers.ts';
import { LOGGER, SECRET_KEYS, SETTINGS } from './tokens.ts';
import { UploadsController } from './uploads/uploads.controller.ts';
import { UploadsRepository } from './uploads/uploads.repository.ts';
import { UploadsService } from './uploads/uploads.service.ts';
import { WebhookTests } from './webhooks/webhook-tests.service.ts';
import { WebhooksController } from './webhooks/webhooks.controller.ts';
import { WebhooksRepository } from './webhooks/webhooks.repository.ts';
import { WebhooksService } from './webhooks/webhooks.service.ts';

/** What the program that runs the gateway has opened for it, and closes after it. */
export interface GatewayParts {
  config: Config;
  logger: Logger;
  clock: Clock;
  trustedClock: TrustedClock;
  log: EventLog;
  database: Pick<Database, 'db' | 'pool'>;
  /** As the organization has decided where left out. */
  settings?: SettingsSource;
}

/** The HTTP side of the service: sign-in, uploads, queries. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic module of Nest is one
export class GatewayModule {
  /** Everything that comes from outside is injected here; other modules of the program may use it too. */
  static forRoot(parts: GatewayParts): DynamicModule {
    return {
      module: GatewayModule,
      global: true,
      controllers: [
        AuthController,
        CredentialsController,
        SignalsController,
        ZipController,
        UploadsController,
        AssetsController,
        AssetScoreController,
        ExplainController,
        WhatIfController,
        FixesController,
        ScoresController,
        FindingsController,
        ChangesController,
        SchemasController,
        AcceptanceController,
        ActsController,
        SecurityEventsController,
        SettingsController,
        DepartmentsController,
        LocationsController,
        CustomFieldsController,
        OsMappingController,
        IntegrationsController,
        WebhooksController,
        EgressController,
        GatewayHealthController,
        GatewayMetricsController,
      ],
      providers: [
        { provide: LOGGER, useValue: parts.logger },
        { provide: CLOCK, useValue: parts.clock },
        { provide: TRUSTED_CLOCK, useValue: parts.trustedClock },
        { provide: EVENT_LOG, useValue: parts.log },
        { provide: DATABASE, useValue: parts.database.db },
        { provide: DATABASE_POOL, useValue: parts.database.pool },
        {
          provide: SETTINGS,
          inject: [OrganizationStore],
          useFactory: (store: OrganizationStore) => parts.settings ?? (() => store.current.settings),
        },
        { provide: SCHEMA_REGISTRY, useFactory: () => schemaRegistryOf(parts.config) },
        // Without the database uploads still go to the log.
        {
          provide: READINESS,
          useValue: {
            needed: ['log', 'clock'],
            checks: commonChecks(parts.log, parts.database.db, parts.trustedClock),
          },
        },
        { provide: METRICS_TOKEN, useValue: parts.config.metricsToken ?? null },
        { provide: SECRET_KEYS, useFactory: () => loadSecretKeys(parts.config) },
        { provide: EgressDto, useValue: egressView(parts.config) },
        AccessTokens,
        AccessWatch,
        AccessInterceptor,
        AuthGuard,
        AuthService,
        CredentialsRepository,
        CredentialsService,
        KnownCredentials,
        SignInLimits,
        SecurityEventsRepository,
        SecurityEvents,
        { provide: SECURITY_EVENTS_DAYS, useValue: parts.config.securityEventsDays },
        PasswordHasher,
        BodyInterceptor,
        IdempotencyRepository,
        IdempotencyService,
        JsonDay,
        JsonQuota,
        JsonUploadsService,
        ProjectionPositions,
        ProjectionWaiter,
        FoldLag,
        ReceiptsRepository,
        UploadRequests,
        UploadsLog,
        ZipUploadsService,
        ZipWorkers,
        UploadsRepository,
        UploadsService,
        AssetsRepository,
        AssetsAsOfRepository,
        AssetsService,
        AssetCountsRepository,
        AssetCounts,
        AssetsExport,
        FindingsRepository,
        FindingsAsOfRepository,
        CveStatesRepository,
        FindingsService,
        FindingCountsRepository,
        FindingCounts,
        FindingTexts,
        FindingsExport,
        ExportSlots,
        AcceptanceService,
        ActedOnFindings,
        ActiveFindingsRepository,
        AssetScores,
        ExplainRepository,
        Explanations,
        WhatIfRepository,
        WhatIfs,
        FixesRepository,
        Fixes,
        ScoreSlots,
        AssetRanking,
        RankedAssetsRepository,
        RiskSumsRepository,
        ScoredInstants,
        ScoreHistory,
        ScoreHistoryRepository,
        Scores,
        ActsRepository,
        ActsService,
        OrganizationActs,
        OrganizationStore,
        egressProvider(parts.config),
        EgressCloser,
        {
          provide: IntegrationSecrets,
          inject: [SECRET_KEYS],
          useFactory: (keys: Buffer[]) => new IntegrationSecrets(parts.database.db, new Vault(keys)),
        },
        {
          provide: WebhookSecrets,
          inject: [SECRET_KEYS],
          useFactory: (keys: Buffer[]) => new WebhookSecrets(parts.database.db, new Vault(keys)),
        },
        WebhooksRepository,
        WebhooksService,
        WebhookTests,
        IntegrationsService,
        IntegrationViews,
        ConnectionTests,
        SyncsRepository,
        SyncsService,
        ChangeHeads,
        ChangeTexts,
        ChangesService,
        RegisteredSchemas,
        KnownSchemas,
        SchemasService,
      ],
      exports: [LOGGER, CLOCK, TRUSTED_CLOCK, EVENT_LOG, DATABASE, SETTINGS, SCHEMA_REGISTRY],
    };
  }
}
