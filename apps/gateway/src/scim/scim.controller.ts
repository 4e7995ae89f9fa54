import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query as QueryOf,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Config } from '#libs/config';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { IdentityProviders } from '../sign-ins/identity-providers.ts';
import { CONFIG } from '../tokens.ts';
import { SCIM_MEDIA_TYPE, ScimErrorFilter } from './scim-error.filter.ts';
import { noProvider, ScimError } from './scim-error.ts';
import { ScimGroupsService } from './scim-groups.service.ts';
import { listOf, type Query } from './scim-query.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './scim-schemas.ts';
import { type ScimProvider, ScimUsersService } from './scim-users.service.ts';

const ALL = { offset: 0, limit: Number.MAX_SAFE_INTEGER };
const KINDS = ['Users', 'Groups'] as const;
type Kind = (typeof KINDS)[number];

/** SCIM 2.0 (RFC 7644) for the users and groups of an identity provider. It describes itself in a form of its own. */
@ApiExcludeController()
@Controller('scim/v2/:provider')
@RequiresScope('users:write')
@UseFilters(ScimErrorFilter)
export class ScimController {
  private readonly origin: string;

  constructor(
    private readonly providers: IdentityProviders,
    private readonly users: ScimUsersService,
    private readonly groups: ScimGroupsService,
    @Inject(CONFIG) { publicUrl = '' }: Config,
  ) {
    this.origin = publicUrl;
  }

  @Get('ServiceProviderConfig')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async config(@Param('provider') provider: string): Promise<object> {
    return serviceProviderConfig((await this.providerOf(provider)).base);
  }

  @Get('ResourceTypes')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async resourceTypes(@Param('provider') provider: string, @QueryOf() query: Query): Promise<object> {
    return described(resourceTypes((await this.providerOf(provider)).base), query);
  }

  @Get('ResourceTypes/:id')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async resourceType(@Param('provider') provider: string, @Param('id') id: string): Promise<object> {
    return oneOf(resourceTypes((await this.providerOf(provider)).base), id);
  }

  @Get('Schemas')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async schemas(@Param('provider') provider: string, @QueryOf() query: Query): Promise<object> {
    return described(schemas((await this.providerOf(provider)).base), query);
  }

  @Get('Schemas/:id')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async schema(@Param('provider') provider: string, @Param('id') id: string): Promise<object> {
    return oneOf(schemas((await this.providerOf(provider)).base), id);
  }

  @Get(':kind')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async list(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @QueryOf() query: Query,
  ): Promise<object> {
    return this.resources(kind).list(await this.providerOf(provider), query);
  }

  @Get(':kind/:id')
  @RequiresScope('users:read')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async get(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @QueryOf() query: Query,
  ): Promise<object> {
    return this.resources(kind).get(await this.providerOf(provider), id, query);
  }

  @Post(':kind')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async create(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @Body() body: unknown,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const created = await this.resources(kind).create(await this.providerOf(provider), body, caller);
    reply.header('location', (created as { meta: { location: string } }).meta.location);
    return created;
  }

  @Put(':kind/:id')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async replace(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @CalledBy() caller: Caller,
  ): Promise<object> {
    return this.resources(kind).replace(await this.providerOf(provider), id, body, caller);
  }

  @Patch(':kind/:id')
  @Header('content-type', SCIM_MEDIA_TYPE)
  async patch(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @CalledBy() caller: Caller,
  ): Promise<object> {
    return this.resources(kind).patch(await this.providerOf(provider), id, body, caller);
  }

  @Delete(':kind/:id')
  @HttpCode(204)
  async delete(
    @Param('provider') provider: string,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @CalledBy() caller: Caller,
  ): Promise<void> {
    await this.resources(kind).delete(await this.providerOf(provider), id, caller);
  }

  @All('*')
  @RequiresScope('users:read')
  other(@Param('*') path: string): never {
    throw refusalOf(path.split('/')[0]!);
  }

  private resources(kind: string): ScimUsersService | ScimGroupsService {
    if (!KINDS.includes(kind as Kind)) throw refusalOf(kind);
    return kind === 'Users' ? this.users : this.groups;
  }

  private async providerOf(id: string): Promise<ScimProvider> {
    const provider = await this.providers.provisioned(id);
    if (!provider) throw noProvider();
    return { provider, base: `${this.origin}/scim/v2/${id}` };
  }
}

const DISCOVERY: readonly string[] = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'];
const OPTIONAL: readonly string[] = ['Me', 'Bulk', '.search'];

function refusalOf(kind: string): ScimError {
  if (DISCOVERY.includes(kind)) return new ScimError(405, `${kind} can only be read`);
  if (OPTIONAL.includes(kind)) return new ScimError(501, `the service does not implement ${kind}`);
  return new ScimError(404, `there are ${[...KINDS, ...DISCOVERY].join(', ')}`);
}

/** RFC 7644, 4: a filter on them is rejected. */
function described(resources: object[], { filter }: Query): object {
  if (filter !== undefined) throw new ScimError(403, 'a filter is not possible here');
  return listOf(resources, resources.length, ALL);
}

function oneOf(resources: { id: string }[], id: string): object {
  const found = resources.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (found) return found;
  throw new ScimError(404, 'there is none of this id');
}
