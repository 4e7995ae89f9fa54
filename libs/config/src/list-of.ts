/** The items of a comma-separated value. */
export const listOf = (value: string): string[] => value.split(',').map((one) => one.trim());
