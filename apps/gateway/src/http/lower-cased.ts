/** For `Transform`: a text in lower case; other values are left for the check. */
export const lowerCased = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toLowerCase() : value;
