/** A path whose one text is what somebody gives. */
export type TextQuery = (text: string) => string;

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: { type?: string; enum?: unknown[]; format?: string };
}

/** Streams end when their reader says so: they are looked at by themselves. */
const STREAM = '/api/v3/changes';
const ID = '00000000-0000-4000-8000-000000000000';

/** Every parameter of every GET of an OpenAPI document that is a text, in query or path. */
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
