import { Module } from '@nestjs/common';
import { SecondFactorCodes } from './second-factor-codes.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';

/** Apart from the routes, because the sign-in needs it. */
@Module({
  providers: [SecondFactorCodes, SecondFactorsRepository],
  exports: [SecondFactorCodes, SecondFactorsRepository],
})
export class SecondFactorCodesModule {}
