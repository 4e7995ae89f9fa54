import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

/** For routes without query parameters: an unknown one is a 400. */
@Injectable()
export class NoQueryPipe implements PipeTransform {
  transform(query: Record<string, unknown>): Record<string, never> {
    const [unknown] = Object.keys(query);
    if (unknown === undefined) return {};
    throw new BadRequestException(`query parameter ${JSON.stringify(unknown.slice(0, 100))} is unknown`);
  }
}
