import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { EgressModule } from '../egress/egress.module.ts';
import { SecurityEventsModule } from '../security-events/security-events.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ClientSecrets } from './client-secrets.ts';
import { IdentityProvidersController } from './identity-providers.controller.ts';
import { IdentityProvidersRepository } from './identity-providers.repository.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';
import { IdentityProviders } from './identity-providers.ts';
import { LogoutController } from './logout.controller.ts';
import { LogoutService } from './logout.service.ts';
import { ProviderSessionsRepository } from './provider-sessions.repository.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import { SessionChecks } from './session-checks.ts';
import { SignInStates } from './sign-in-state.ts';
import { SignInsController } from './sign-ins.controller.ts';
import { SignInsService } from './sign-ins.service.ts';

@Module({
  imports: [ActsModule, EgressModule, SecurityEventsModule, SessionsModule, UsersModule],
  controllers: [SignInsController, IdentityProvidersController, LogoutController],
  exports: [IdentityProviders],
  providers: [
    ClientSecrets,
    IdentityProviders,
    IdentityProvidersRepository,
    IdentityProvidersService,
    LogoutService,
    ProviderSessionsRepository,
    RefreshTokens,
    SessionChecks,
    SignInStates,
    SignInsService,
  ],
})
export class SignInsModule {}
