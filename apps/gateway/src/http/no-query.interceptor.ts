import { BadRequestException, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';

const STRICT_ROUTES = /^\/(api\/v3|integrations?|settings)(\/|$)/;
const QUERY_ARGUMENT = `${RouteParamtypes.QUERY}:`;

/** An unknown query parameter is a 400 (R-HTTP-5). Routes with declared ones validate theirs; others accept none. */
export const noQueryInterceptor: NestInterceptor = {
  intercept(context, next) {
    const { query, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const [unknown] = Object.keys(query as object);
    if (unknown === undefined || !STRICT_ROUTES.test(routeOptions.url ?? '')) return next.handle();
    const routeArguments = Reflect.getMetadata(
      ROUTE_ARGS_METADATA,
      context.getClass(),
      context.getHandler().name,
    );
    if (Object.keys(routeArguments ?? {}).some((key) => key.startsWith(QUERY_ARGUMENT))) return next.handle();
    throw new BadRequestException(`query parameter ${JSON.stringify(unknown.slice(0, 100))} is unknown`);
  },
};
