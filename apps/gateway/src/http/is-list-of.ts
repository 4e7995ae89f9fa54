import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';

/**
 * A list of objects, each with the checks of a class. `ValidateNested` alone also descends into a list in the list: an
 * empty one has nothing to check.
 * @param message about a value that is not a list, instead of the usual one
 */
export const IsListOf = (type: new () => object, itemsMax: number, message?: string): PropertyDecorator =>
  applyDecorators(
    Type(() => type),
    ValidateNested({ each: true }),
    IsObject({ each: true }),
    ArrayMaxSize(itemsMax),
    IsArray({ message }),
  );
