import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresSignIn } from '../auth/scopes.ts';
import {
  BeginSecondFactorDto,
  BegunSecondFactorDto,
  RecoveryCodesDto,
  SecondFactorCodeDto,
  SecondFactorDto,
} from './second-factor.dto.ts';
import { SecondFactorService } from './second-factor.service.ts';

const NOT_ENABLED = { description: 'The caller has no second factor' };
const WRONG = { description: 'The code is wrong or was used before' };
const TOO_MANY = {
  description: 'Ten wrong codes within 15 minutes; `message` is the number of seconds to wait',
};

/** The second factor of the caller, who signed in with user name and password. */
@ApiTags('auth')
@ApiBearerAuth()
@Controller('api/v3/second-factor')
@RequiresSignIn()
@ApiNotFoundResponse({ description: 'The caller is no credential' })
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorService) {}

  @Get()
  @ApiOperation({ summary: 'Returns whether the caller has, and must have, a second factor' })
  @ApiOkResponse({ type: SecondFactorDto })
  state(@CalledBy() caller: Caller): Promise<SecondFactorDto> {
    return this.factors.state(caller);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begins a second factor: returns a secret for an authenticator app (TOTP), once',
    description: 'It is required only after a code of the app has confirmed it.',
  })
  @ApiOkResponse({ type: BegunSecondFactorDto })
  @ApiForbiddenResponse({ description: 'The password is wrong' })
  @ApiConflictResponse({ description: 'The caller has a second factor already' })
  @ApiTooManyRequestsResponse({ description: '`message` is the number of seconds to wait' })
  begin(
    @Body() { password }: BeginSecondFactorDto,
    @CalledBy() caller: Caller,
  ): Promise<BegunSecondFactorDto> {
    return this.factors.begin(password, caller);
  }

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirms the second factor with a code of the app, and returns recovery codes',
    description: 'From then on sign-ins require a code. The other sessions of the caller end.',
  })
  @ApiOkResponse({ type: RecoveryCodesDto })
  @ApiForbiddenResponse(WRONG)
  @ApiConflictResponse({ description: 'No second factor was begun, or it is confirmed already' })
  @ApiTooManyRequestsResponse(TOO_MANY)
  confirm(
    @Body() { code }: SecondFactorCodeDto,
    @Req() { access }: SignedInRequest,
    @CalledBy() caller: Caller,
  ): Promise<RecoveryCodesDto> {
    return this.factors.confirm(code, access, caller);
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ApiOperation({ summary: 'Replaces the recovery codes of the caller' })
  @ApiOkResponse({ type: RecoveryCodesDto })
  @ApiForbiddenResponse(WRONG)
  @ApiConflictResponse(NOT_ENABLED)
  @ApiTooManyRequestsResponse(TOO_MANY)
  replaceRecoveryCodes(
    @Body() { code }: SecondFactorCodeDto,
    @CalledBy() caller: Caller,
  ): Promise<RecoveryCodesDto> {
    return this.factors.replaceRecoveryCodes(code, caller);
  }

  @Post('remove')
  @HttpCode(200)
  @ApiOperation({ summary: 'Removes the second factor of the caller' })
  @ApiOkResponse({ type: SecondFactorDto })
  @ApiForbiddenResponse(WRONG)
  @ApiConflictResponse(NOT_ENABLED)
  @ApiTooManyRequestsResponse(TOO_MANY)
  remove(@Body() { code }: SecondFactorCodeDto, @CalledBy() caller: Caller): Promise<SecondFactorDto> {
    return this.factors.remove(code, caller);
  }
}
