/** A text as a pattern of LIKE that means the text itself. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
