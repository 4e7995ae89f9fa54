// The Avro schemas of the log's events and of the published changes, without texts.

/**
 * @param {{id: number, type: string, schema: object}[]} intake events of the log, in the order of their release
 * @param {{id: number, subject: string, schema: object}[]} changes records of the topics
 * @returns {Record<string, {isPublished: boolean, ids: number[], latest: object}>} by name
 */
export function eventSchemasReport(intake, changes) {
  const report = {};
  const put = (name, id, schema, isPublished) => {
    const ids = [...(report[name]?.ids ?? []), id];
    report[name] = { isPublished, ids, latest: withoutTexts(schema) };
  };
  for (const { id, type, schema } of intake) put(type, id, schema, false);
  for (const { id, subject, schema } of changes) put(subject, id, schema, true);
  return report;
}

function withoutTexts(schema) {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([key]) => key !== 'doc');
  return Object.fromEntries(members.map(([key, member]) => [key, withoutTexts(member)]));
}
