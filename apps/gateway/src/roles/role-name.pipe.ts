import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';
import { ROLE_NAME } from './role.dto.ts';

/** The name of a role in a path. */
@Injectable()
export class RoleNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (ROLE_NAME.test(name)) return name;
    throw new BadRequestException('name must be 1 to 40 small letters, digits and hyphens, a letter first');
  }
}
