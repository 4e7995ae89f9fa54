import { isBuiltInKey, type Settings } from '#libs/domain';

/** Names of the custom fields that tags fill: a tag with a built-in key would set an attribute of the asset instead. */
export const fieldNames = (fields: Settings['customFields']): ReadonlySet<string> =>
  new Set(fields.map(({ name }) => name).filter((name) => !isBuiltInKey(name)));
