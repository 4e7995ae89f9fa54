/** A path with one text from a user. */
export type TextQuery = (text: string) => string;

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: { type?: string; enum?: unknown[]; format?: string };
}

/** Excluded, because its answer ends only when the client closes it. Other tests cover it. */
const STREAM = '/api/v3/changes';
const ID = '00000000-0000-4000-8000-000000000000';

/** Every text parameter, in query or path, of every GET of an OpenAPI document. */
export function textQueries(document: {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}): TextQuery[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    path === STREAM
      ? []
      : (get?.parameters ?? [])
          .filter(({ in: place, schema }) => place !== 'header' && schema?.type !== 'boolean')
          .map((parameter) => queryOf(path, parameter)),
  );
}

function queryOf(path: string, { in: place, name }: Parameter): TextQuery {
  const withId = (template: string) => template.replace(/\{\w+\}/g, ID);
  return (text) => {
    const encoded = encodeURIComponent(text);
    return place === 'path'
      ? withId(path.replace(`{${name}}`, encoded))
      : `${withId(path)}?${encodeURIComponent(name)}=${encoded}`;
  };
}
