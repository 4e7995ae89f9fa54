/** Whether a text of PostgreSQL says that the disk is full. */
export const isNoRoom = (text: string): boolean => /No space left on device|Disk quota exceeded/i.test(text);

/** The remedy to append to such a message; otherwise nothing. */
export const noRoomRemedy = (text: string, directory: string): string =>
  isNoRoom(text) ? `. Free space on the disk of ${directory}` : '';
