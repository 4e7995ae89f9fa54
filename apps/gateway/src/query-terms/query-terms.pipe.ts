import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { Dto } from '../docs/describe-checks.ts';
import { withTerms } from './with-terms.ts';

/** For a checked query with filters of findings: the terms of its text `q` become parameters. */
@Injectable()
export class QueryTermsPipe implements PipeTransform {
  transform<T extends { q?: string }>(query: T, { metatype }: ArgumentMetadata): Promise<T> {
    return withTerms(query, metatype as Dto);
  }
}
