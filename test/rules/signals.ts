import { plainSignal } from '../support/api-client.ts';

type Fields = Record<string, unknown>;

const CVE = { name: 'cve', value: 'CVE-2021-44228' };

/** A failing VA context, with the overrides of a row. */
export const context = (given: Fields = {}) => ({
  type: 'va',
  status: { complianceStatus: 'fail' },
  severity: { type: 'cvss', value: 7.5 },
  standardsMapping: [CVE],
  ...given,
});

export const failed = (given: Fields = {}) => ({ securityContext: context(given) });
export const passed = (given: Fields = {}) => failed({ status: { complianceStatus: 'pass' }, ...given });
export const unknown = (given: Fields = {}) => failed({ status: { complianceStatus: 'unknown' }, ...given });

/** Several instances, each a context. */
export const several = (...given: Fields[]) => ({
  securityContext: undefined,
  securityContexts: given.map(context),
});

/** An entity of any type with attributes. */
export const entity = (name: string, entityAttributes?: Fields, type = 'machine') => ({
  entity: { type, name, ...(entityAttributes && { entityAttributes }) },
});

/** Only the entity. */
export const described = (name: string, entityAttributes?: Fields) =>
  signal(name, { ...entity(name, entityAttributes), entityOnly: true, securityContext: undefined });

/** A failing finding of a name on a host, with the overrides of a row. */
export const named = (name: string, host: string, given: object = {}) => ({
  ...plainSignal(name, host),
  ...given,
});

/** `Open port` on a host. */
export const signal = (host: string, given: object = {}) => named('Open port', host, given);
