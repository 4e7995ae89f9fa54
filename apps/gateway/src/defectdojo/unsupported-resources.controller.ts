import { All, Controller, NotFoundException, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';

/** The rest of DefectDojo's API: what exists is the same for everybody, so the answer needs no token. */
@ApiExcludeController()
@Controller('api/v2')
@Public()
export class UnsupportedResourcesController {
  @All('*')
  @ReadBodyAs('unread')
  refuse(@Req() { url }: FastifyRequest): never {
    const [path] = url.split('?', 1);
    throw new NotFoundException(`${path} is not part of the API that is supported (docs/defectdojo.md)`);
  }
}
