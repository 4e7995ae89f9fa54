import { UnauthorizedException } from '@nestjs/common';

/** Why a right password does not sign in; the response contains it as `reason`. */
type SecondFactorReason = 'secondFactorRequired' | 'secondFactorWrong' | 'secondFactorNotEnrolled';

const SENTENCES: Record<SecondFactorReason, string> = {
  secondFactorRequired:
    'this user has a second factor: send the code of the authenticator app, or a recovery code, in the header X-Second-Factor. Programs use API tokens',
  secondFactorWrong: 'the code of the second factor is wrong or was used before: wait for the next code',
  secondFactorNotEnrolled:
    'this user must have a second factor, and the time to set it up is over: ask an admin to rotate the password',
};

/** 401 to a sign-in whose password is right, or to a request that needs a code. */
export class SecondFactorRefused extends UnauthorizedException {
  constructor(readonly reason: SecondFactorReason) {
    super({ message: SENTENCES[reason], reason });
  }
}
