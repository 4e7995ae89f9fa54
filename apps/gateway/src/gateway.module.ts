import { type DynamicModule, Module } from '@nestjs/common';
import { AcceptanceModule } from './acceptance/acceptance.module.ts';
import { ApiTokensModule } from './api-tokens/api-tokens.module.ts';
import { AssetsModule } from './assets/assets.module.ts';
import { AttackMatrixModule } from './attack-matrix/attack-matrix.module.ts';
import { AuditModule } from './audit/audit.module.ts';
import { AuthModule } from './auth/auth.module.ts';
import { BoardReportModule } from './board-report/board-report.module.ts';
import { BulkActsModule } from './bulk-acts/bulk-acts.module.ts';
import { ChangesModule } from './changes/changes.module.ts';
import { DefectDojoModule } from './defectdojo/defectdojo.module.ts';
import { EgressModule } from './egress/egress.module.ts';
import { ErasuresModule } from './erasures/erasures.module.ts';
import { FindingsModule } from './findings/findings.module.ts';
import { HealthModule } from './health/health.module.ts';
import { HistoryRetentionModule } from './history-retention/history-retention.module.ts';
import { HttpModule } from './http/http.module.ts';
import { InboxModule } from './inbox/inbox.module.ts';
import { IntegrationsModule } from './integrations/integrations.module.ts';
import { LossModule } from './loss/loss.module.ts';
import { MeModule } from './me/me.module.ts';
import { NotificationsModule } from './notifications/notifications.module.ts';
import { OrganizationModule } from './organization/organization.module.ts';
import { OwnerRulesModule } from './owner-rules/owner-rules.module.ts';
import { PlansModule } from './plans/plans.module.ts';
import { RefusedUploadsModule } from './refused-uploads/refused-uploads.module.ts';
import { ReportSchedulesModule } from './report-schedules/report-schedules.module.ts';
import { ReportsModule } from './reports/reports.module.ts';
import { type GatewayParts, ResourcesModule } from './resources.module.ts';
import { RolesModule } from './roles/roles.module.ts';
import { SavedViewsModule } from './saved-views/saved-views.module.ts';
import { SchemasModule } from './schemas/schemas.module.ts';
import { ScimModule } from './scim/scim.module.ts';
import { ScoresModule } from './scores/scores.module.ts';
import { SecondFactorModule } from './second-factor/second-factor.module.ts';
import { SecurityEventsModule } from './security-events/security-events.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { SignInsModule } from './sign-ins/sign-ins.module.ts';
import { SignalsModule } from './signals/signals.module.ts';
import { StorageModule } from './storage/storage.module.ts';
import { TechnicalReportModule } from './technical-report/technical-report.module.ts';
import { TriageModule } from './triage/triage.module.ts';
import { UploadsModule } from './uploads/uploads.module.ts';
import { UsersModule } from './users/users.module.ts';
import { WebhooksModule } from './webhooks/webhooks.module.ts';

/** The modules that have routes, in the order of the OpenAPI document. */
export const FEATURES = [
  AuthModule,
  MeModule,
  SignInsModule,
  SessionsModule,
  SecondFactorModule,
  UsersModule,
  ScimModule,
  ApiTokensModule,
  RolesModule,
  SignalsModule,
  ReportsModule,
  DefectDojoModule,
  UploadsModule,
  RefusedUploadsModule,
  AssetsModule,
  ScoresModule,
  LossModule,
  BoardReportModule,
  TechnicalReportModule,
  FindingsModule,
  AttackMatrixModule,
  SavedViewsModule,
  ChangesModule,
  SchemasModule,
  AcceptanceModule,
  TriageModule,
  BulkActsModule,
  PlansModule,
  AuditModule,
  ErasuresModule,
  SecurityEventsModule,
  OrganizationModule,
  OwnerRulesModule,
  HistoryRetentionModule,
  StorageModule,
  IntegrationsModule,
  WebhooksModule,
  ReportSchedulesModule,
  NotificationsModule,
  EgressModule,
  HealthModule,
];

/** The edge of the service: sign-in, uploads, queries, and the inbox. */
@Module({ imports: [HttpModule, InboxModule, ...FEATURES] })
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic module of Nest is one
export class GatewayModule {
  static forRoot(parts: GatewayParts): DynamicModule {
    return { module: GatewayModule, imports: [ResourcesModule.forRoot(parts)] };
  }
}
