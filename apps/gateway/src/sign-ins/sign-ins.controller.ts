import { Body, Controller, Get, Headers, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { NewSessionDto } from '../sessions/session.dto.ts';
import { IdentityProviders } from './identity-providers.ts';
import { FinishSignInDto, ProviderLogoutDto, SignInOptionsDto, StartedSignInDto } from './sign-in.dto.ts';
import { SignInsService } from './sign-ins.service.ts';

const NO_SUCH = { description: 'The identity provider does not exist' };
const UNAVAILABLE = { description: 'The identity provider does not answer' };

@ApiTags('auth')
@Controller('api/v3/sign-in')
@Public()
export class SignInsController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly signIns: SignInsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Lists the identity providers that people can sign in with' })
  @ApiOkResponse({ type: SignInOptionsDto })
  async list(): Promise<SignInOptionsDto> {
    const clients = await this.providers.all();
    return { items: clients.map(({ provider: { id, label } }) => ({ id, label })) };
  }

  @Post(':provider')
  @HttpCode(200)
  @ReadBodyAs('unread')
  @ApiOperation({ summary: 'Starts a sign-in with an identity provider (OpenID Connect)' })
  @ApiOkResponse({ type: StartedSignInDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiServiceUnavailableResponse(UNAVAILABLE)
  start(@Param('provider') provider: string): Promise<StartedSignInDto> {
    return this.signIns.start(provider);
  }

  @Get(':provider/logout')
  @ApiOperation({
    summary: 'Returns the page of an identity provider on which a user signs out of the provider too',
    description:
      'It ends no session of this service: end the session first (OpenID Connect RP-Initiated Logout).',
  })
  @ApiOkResponse({ type: ProviderLogoutDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiServiceUnavailableResponse(UNAVAILABLE)
  async logoutUrl(@Param('provider') provider: string): Promise<ProviderLogoutDto> {
    return { url: await this.signIns.logoutUrl(provider) };
  }

  @Post(':provider/finish')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Finishes a sign-in with what the identity provider added to the redirect URI, and begins a session',
  })
  @ApiOkResponse({ type: NewSessionDto })
  @ApiUnauthorizedResponse({ description: 'The sign-in is not valid' })
  @ApiForbiddenResponse({ description: 'No group of the user has a role' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiServiceUnavailableResponse(UNAVAILABLE)
  finish(
    @Param('provider') provider: string,
    @Body() given: FinishSignInDto,
    @Headers('user-agent') userAgent: string | undefined,
    @Req() { ip: address, id }: FastifyRequest,
  ): Promise<NewSessionDto> {
    return this.signIns.finish(provider, given, { address, userAgent }, id);
  }
}
