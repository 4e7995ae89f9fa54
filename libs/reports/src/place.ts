/** A finding of a report, for people. */
export interface Place {
  file: string;
  place: string;
  name: string;
}

export const placeOf = (file: string, { place, name }: { place: string; name: string }): Place => ({
  file,
  place,
  name,
});
