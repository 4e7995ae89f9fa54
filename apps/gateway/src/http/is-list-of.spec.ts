import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { checkedClasses, type Dto } from '../docs/describe-checks.ts';
import { FEATURES } from '../gateway.module.ts';
import { validationPipe } from './validation-pipe.ts';

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

  it.each(lists)('rejects a list in the list: %s.%s', async (_, property, metatype) => {
    for (const inner of [[], [{}]]) {
      await expect(
        validationPipe.transform({ [property]: [inner] }, { type: 'body', metatype }),
      ).rejects.toThrow(`each value in ${property} must be an object`);
    }
  });
});
