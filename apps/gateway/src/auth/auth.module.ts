import { Global, Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { SecondFactorCodesModule } from '../second-factor/second-factor-codes.module.ts';
import { SecurityEventsModule } from '../security-events/security-events.module.ts';
import { AccessInterceptor } from './access.interceptor.ts';
import { AccessTokens } from './access-tokens.ts';
import { AccessWatch } from './access-watch.ts';
import { AuthController } from './auth.controller.ts';
import { AuthGuard } from './auth.guard.ts';
import { AuthService } from './auth.service.ts';
import { CredentialActs } from './credential-acts.ts';
import { CredentialsController } from './credentials.controller.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { CredentialsService } from './credentials.service.ts';
import { Holders } from './holder-rights.ts';
import { KnownCredentials } from './known-credentials.ts';
import { LastUses } from './last-uses.ts';
import { PasswordHasher } from './password-hasher.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { SignInPolicy } from './sign-in-policy.ts';

/** Global modules start first and stop last: requests to every feature are checked until the end. */
@Global()
@Module({
  imports: [ActsModule, SecondFactorCodesModule, SecurityEventsModule],
  controllers: [AuthController, CredentialsController],
  providers: [
    AccessTokens,
    AccessWatch,
    AccessInterceptor,
    AuthGuard,
    AuthService,
    CredentialActs,
    CredentialsRepository,
    CredentialsService,
    Holders,
    KnownCredentials,
    LastUses,
    SignInLimits,
    SignInPolicy,
    PasswordHasher,
  ],
  exports: [AuthService, CredentialActs, CredentialsRepository, Holders, KnownCredentials, SignInPolicy],
})
export class AuthModule {}
