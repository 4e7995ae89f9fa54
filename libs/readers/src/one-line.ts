/** Another program's message in one line, at most that many characters of it. */
export const oneLine = (text: string, charactersMax: number): string =>
  text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, charactersMax);
