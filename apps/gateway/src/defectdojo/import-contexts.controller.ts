import { BadRequestException, Body, Controller, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AcceptsTokenScheme, RequiresScope } from '../auth/scopes.ts';
import type { ContextKind, ImportContext } from './import-contexts.repository.ts';
import { ImportContexts } from './import-contexts.service.ts';
import { idIn, nameIn } from './import-options.ts';
import { SCAN_TYPES } from './scan-types.ts';

/** A resource of DefectDojo: how it names its name and its parent. */
interface Resource {
  kind: ContextKind;
  name: 'name' | 'title';
  parent: string | null;
}

const RESOURCES = new Map<string, Resource>([
  ['product_types', { kind: 'productType', name: 'name', parent: null }],
  ['products', { kind: 'product', name: 'name', parent: 'prod_type' }],
  ['engagements', { kind: 'engagement', name: 'name', parent: 'product' }],
  ['tests', { kind: 'test', name: 'title', parent: 'engagement' }],
]);

const PATHS = [...RESOURCES.keys()];

type Values = Record<string, unknown>;
interface DojoPage {
  count: number;
  next: null;
  previous: null;
  results: object[];
}

/**
 * The resources of DefectDojo's API that its clients look up before an import: a name for an id. Other fields of them
 * have no effect.
 */
@ApiExcludeController()
@Controller('api/v2')
@RequiresScope('uploads:read')
@AcceptsTokenScheme()
export class ImportContextsController {
  constructor(private readonly contexts: ImportContexts) {}

  @Get('test_types')
  testTypes(@Query() query: Values): DojoPage {
    const wanted = nameIn(textsOf(query), 'name');
    const all = SCAN_TYPES.map(({ name }, i) => ({ id: i + 1, name, active: true }));
    return pageOf(all.filter(({ name }) => wanted === null || name === wanted));
  }

  @Get(PATHS)
  async list(@Req() request: FastifyRequest, @Query() query: Values): Promise<DojoPage> {
    const resource = resourceOfRoute(request);
    const { kind, name, parent } = resource;
    const texts = textsOf(query);
    const filter = {
      id: idIn(texts, 'id'),
      name: nameIn(texts, name) ?? nameIn(texts, `${name}_exact`),
      parentId: parent === null ? null : idIn(texts, parent),
    };
    const found = await this.contexts.list(kind, filter);
    return pageOf(found.map((context) => resourceOf(context, resource)));
  }

  @Post(PATHS)
  @RequiresScope('signals:write')
  async add(@Req() request: FastifyRequest, @Body() body: Values): Promise<object> {
    const resource = resourceOfRoute(request);
    const { kind, name, parent } = resource;
    const texts = textsOf(body);
    const given = nameIn(texts, name);
    if (given === null) throw new BadRequestException(`${name} is missing`);
    const parentId = parent === null ? 0 : idIn(texts, parent);
    if (parentId === null) throw new BadRequestException(`${parent} is missing`);
    return resourceOf(await this.contexts.add(kind, parentId, given), resource);
  }

  /** Clients note the build in the engagement; the service has no place for it. */
  @Patch('engagements/:id')
  @RequiresScope('signals:write')
  async update(@Param('id') id: string): Promise<object> {
    const known = await this.contexts.get('engagement', idIn(new Map([['id', id]]), 'id') ?? 0);
    return resourceOf(known, RESOURCES.get('engagements')!);
  }
}

const resourceOfRoute = ({ routeOptions }: FastifyRequest): Resource =>
  RESOURCES.get(routeOptions.url!.split('/').at(-1)!)!;

/** Texts and numbers, as a form has them. */
const textsOf = (values: Values): Map<string, string> =>
  new Map(
    Object.entries(values)
      .filter(([, value]) => ['string', 'number'].includes(typeof value))
      .map(([name, value]) => [name, String(value)]),
  );

const resourceOf = ({ id, name, parentId }: ImportContext, resource: Resource): object => ({
  id,
  [resource.name]: name,
  ...(resource.parent !== null && { [resource.parent]: parentId }),
});

const pageOf = (results: object[]): DojoPage => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});
