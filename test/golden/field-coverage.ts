import avro from 'avsc';

/**
 * The alternatives of a field in its schema, each as a text: null or set, an empty or filled list, true or false.
 * Fields are named by their record, so that those of a shared record count once.
 */
export function waysOf(schema: object): Set<string> {
  const ways = new Set<string>();
  visit(avro.Type.forSchema(schema as avro.Schema, { logicalTypes: {} }), '', undefined, ways);
  return ways;
}

/** The alternatives of `waysOf` that one record uses. */
export function waysTaken(schema: object, record: unknown): Set<string> {
  const ways = new Set<string>();
  visit(avro.Type.forSchema(schema as avro.Schema, { logicalTypes: {} }), '', { record }, ways);
  return ways;
}

/** @param value undefined: every way of the type is open */
function visit(type: any, place: string, value: { record: any } | undefined, ways: Set<string>): void {
  const given = value?.record;
  const within = (inner: any) => (value ? { record: inner } : undefined);
  const take = (...open: [way: string, isTaken: boolean][]) => {
    for (const [way, isTaken] of open) if (!value || isTaken) ways.add(`${place}: ${way}`);
  };
  switch (type.typeName) {
    case 'record':
      for (const field of type.fields) {
        visit(field.type, `${type.name}.${field.name}`, within(given?.[field.name]), ways);
      }
      break;
    case 'union:unwrapped': {
      const inner = type.types.find(({ typeName }: any) => typeName !== 'null');
      take(['null', given === null], ['set', given !== null]);
      if (!value || given !== null) visit(inner, place, value, ways);
      break;
    }
    case 'array':
      take(['empty', given?.length === 0], ['filled', given?.length > 0]);
      for (const item of value ? given : [undefined]) visit(type.itemsType, place, within(item), ways);
      break;
    case 'map': {
      const items = value ? Object.values(given) : [undefined];
      take(['no keys', items.length === 0], ['with keys', items.length > 0]);
      for (const item of items) visit(type.valuesType, place, within(item), ways);
      break;
    }
    case 'boolean':
      take(['true', given === true], ['false', given === false]);
      break;
    default:
      break;
  }
}
