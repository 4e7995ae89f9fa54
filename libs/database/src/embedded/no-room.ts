/** Whether a text of PostgreSQL says that the disk is full. */
export const isNoRoom = (text: string): boolean => /No space left on device|Disk quota exceeded/i.test(text);

/** What an operator does about it, to follow such a text; otherwise nothing. */
export const noRoomRemedy = (text: string, directory: string): string =>
  isNoRoom(text) ? `. Make room on the disk of ${directory}` : '';
