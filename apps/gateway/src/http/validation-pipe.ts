import { type ArgumentMetadata, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { badInput } from './bad-input.ts';
import { assertBounded } from './bounded-body.ts';

/** Rejects unknown fields, converts plain values to the types of the class. */
export const VALIDATION: ValidationPipeOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
};

class BoundedValidationPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata) {
    if (metadata.type === 'body' && this.toValidate(metadata)) assertBounded(value);
    return super.transform(value, metadata);
  }
}

/** Validates DTOs; reports one message. */
export const validationPipe = new BoundedValidationPipe({
  ...VALIDATION,
  exceptionFactory: (errors) => badInput(errors),
});
