import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES, SIGNED_IN } from '../../apps/gateway/src/auth/scopes.ts';
import { FEATURES } from '../../apps/gateway/src/gateway.module.ts';

type Class = abstract new (...args: never[]) => unknown;
type Handler = (...args: never[]) => unknown;

const handlersOf = (controller: Class): [string, Handler][] => {
  const found: [string, Handler][] = [];
  for (let at = controller.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value))
        found.push([name, value]);
    }
  }
  return found;
};

/** Also of routes that the OpenAPI document leaves out, such as those of DefectDojo's import API. */
describe('every handler of a route', () => {
  const controllers = FEATURES.flatMap(
    (feature): Class[] => Reflect.getMetadata('controllers', feature) ?? [],
  );
  const handlers = controllers.flatMap((controller) =>
    handlersOf(controller).map(
      ([name, handler]) => [`${controller.name}.${name}`, handler, controller] as const,
    ),
  );

  it('is found', () => {
    expect(handlers.length).toBeGreaterThan(75);
  });

  it.each(handlers)('%s requires a scope or a sign-in, or is public', (_, handler, controller) => {
    const reflector = new Reflector();
    const of = (key: symbol) => reflector.getAllAndOverride(key, [handler, controller]);
    const stated = [REQUIRED_SCOPES, SIGNED_IN, PUBLIC].filter((key) => of(key) != null);
    expect(stated).toHaveLength(1);
  });
});
