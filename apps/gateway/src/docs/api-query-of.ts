import { applyDecorators } from '@nestjs/common';
import { ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { type Dto, declaredProperties, describeChecksOf } from './describe-checks.ts';

/**
 * Documents the query parameters of a route whose pipe checks them by `dto`, if the type of its parameter does not
 * state it. `@ApiQuery({ type: dto })` leaves enums out.
 */
export function ApiQueryOf(dto: Dto): MethodDecorator {
  describeChecksOf(dto);
  return applyDecorators(
    ...declaredProperties(dto).map(([name, declared]) => ApiQuery({ ...declared, name } as ApiQueryOptions)),
  );
}
