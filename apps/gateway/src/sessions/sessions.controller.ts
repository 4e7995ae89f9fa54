import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiBasicAuth,
  ApiBearerAuth,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { AuthService } from '../auth/auth.service.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { givenCredentials } from '../auth/given-credentials.ts';
import { Public, RequiresSignIn } from '../auth/scopes.ts';
import { SecondFactorCode, SIGN_IN_REFUSED, TakesSecondFactor } from '../auth/second-factor-code.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import type { Page } from '../paging/page.ts';
import {
  EndedSessionsDto,
  NewSessionDto,
  OwnSessionDto,
  SessionDto,
  SessionPageDto,
  SessionsQuery,
} from './session.dto.ts';
import { SessionsService } from './sessions.service.ts';

@ApiTags('auth')
@ApiBearerAuth()
@Controller('api/v3')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly auth: AuthService,
  ) {}

  @Post('sessions')
  @HttpCode(200)
  @Public()
  @ReadBodyAs('unread')
  @ApiBasicAuth()
  @TakesSecondFactor()
  @ApiOperation({
    summary: 'Begins a session of a person with user name and password, sent as HTTP Basic',
    description: 'For pages that people use, such as the console. Programs use API tokens.',
  })
  @ApiOkResponse({ type: NewSessionDto })
  @ApiUnauthorizedResponse({ description: SIGN_IN_REFUSED })
  @ApiTooManyRequestsResponse({ description: '`message` is the number of seconds to wait' })
  async begin(
    @Headers('authorization') authorization: string | undefined,
    @SecondFactorCode() code: string | undefined,
    @Headers('user-agent') userAgent: string | undefined,
    @Req() { ip: address, id: requestId }: FastifyRequest,
  ): Promise<NewSessionDto> {
    return this.auth.prove(givenCredentials(authorization), { address, requestId, code }, (proven) =>
      this.sessions.beginProven(proven, { address, userAgent }),
    );
  }

  @Get('sessions')
  @RequiresSignIn()
  @ApiOperation({ summary: 'Lists sessions of people, newest first' })
  @ApiOkResponse({ type: SessionPageDto })
  list(@Query() query: SessionsQuery, @Req() { access }: SignedInRequest): Promise<Page<SessionDto>> {
    return this.sessions.list(query, access);
  }

  @Post('sessions/end-others')
  @RequiresSignIn()
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends all other sessions of the caller, within a second at every gateway' })
  @ApiOkResponse({ type: EndedSessionsDto })
  async endOthers(@Req() { access }: SignedInRequest): Promise<EndedSessionsDto> {
    return { ended: await this.sessions.endOthers(access) };
  }

  @Delete('sessions/:id')
  @RequiresSignIn()
  @ApiOperation({
    summary: 'Ends a session, within a second at every gateway',
    description:
      'The session of another user requires the scope credentials:write, and all departments and locations of that user. It is a security event of the kind `logout`.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiNotFoundResponse({ description: 'The session does not exist' })
  end(
    @Param('id', UuidPipe) id: string,
    @Req() { access }: SignedInRequest,
    @CalledBy() caller: Caller,
  ): Promise<SessionDto> {
    return this.sessions.end(id, access, caller);
  }

  @Get('session')
  @RequiresSignIn()
  @ApiOperation({ summary: 'Returns the session of the request, with the scopes of its user' })
  @ApiOkResponse({ type: OwnSessionDto })
  @ApiNotFoundResponse({ description: 'The token of the request is not the token of a session' })
  own(@Req() { access }: SignedInRequest): Promise<OwnSessionDto> {
    return this.sessions.own(access);
  }

  @Post('session/extend')
  @RequiresSignIn()
  @HttpCode(200)
  @ApiOperation({ summary: 'Extends the session of the request, because its user is active' })
  @ApiOkResponse({ type: OwnSessionDto })
  @ApiNotFoundResponse({ description: 'The token of the request is not the token of a session' })
  extend(@Req() { access }: SignedInRequest): Promise<OwnSessionDto> {
    return this.sessions.extend(access);
  }
}
