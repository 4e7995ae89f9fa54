import { ValidationPipe } from '@nestjs/common';
import { badInput } from './bad-input.ts';

/** Checks control DTOs: nothing unknown, plain values made into what the class says, one message in words. */
export const validationPipe = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  exceptionFactory: badInput,
});
