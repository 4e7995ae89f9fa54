import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes, validateSync } from 'class-validator';
import { checkedClasses, type Dto } from '../docs/describe-checks.ts';
import { FEATURES } from '../gateway.module.ts';
import { badInput } from './bad-input.ts';

const listsOf = (dto: Dto): [string, string, Dto][] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter(({ type, each }) => type === ValidationTypes.NESTED_VALIDATION && each)
    .map(({ propertyName }) => [dto.name, propertyName, dto]);

/** Importing the features declares every DTO. */
const lists = FEATURES.length > 0 ? checkedClasses().flatMap(listsOf) : [];

describe('every list of objects in a body', () => {
  it('is found', () => {
    expect(lists.length).toBeGreaterThanOrEqual(5);
  });

  it.each(lists)('rejects a list in the list: %s.%s', (_, property, dto) => {
    for (const inner of [[], [{}]]) {
      // Alone: the sentences of a 400 about all other fields of a large object would be too many.
      const errors = validateSync(plainToInstance(dto as new () => object, { [property]: [inner] }), {
        skipMissingProperties: true,
      });
      expect(badInput(errors).message).toContain(`each value in ${property} must be an object`);
    }
  });
});
