import { UnauthorizedException } from '@nestjs/common';

/** 401 to a sign-in. The caller learns nothing of the reason, which is for the security events. */
export class SignInRefused extends UnauthorizedException {
  constructor(readonly reason: 'unknownUser' | 'wrongPassword') {
    super('wrong user name or password');
  }
}
