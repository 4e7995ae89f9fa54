// The OpenAPI document without texts: what programs depend on, in a stable order.

/** Texts for people. A change of them does not change the interface. */
const TEXTS = new Set(['description', 'summary', 'example', 'examples', 'title']);
/** Their keys are names of the API. */
const NAMED = new Set([
  'properties',
  'schemas',
  'paths',
  'headers',
  'responses',
  'content',
  'securitySchemes',
]);

/** @param {object} document as the gateway serves it */
export const openApiReport = ({ openapi, paths, components }) => normalized({ openapi, paths, components });

function normalized(value, isNamed = false) {
  if (Array.isArray(value)) return value.map((one) => normalized(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !(TEXTS.has(key) || key === 'tags'))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, normalized(member, !isNamed && NAMED.has(key))]),
  );
}
