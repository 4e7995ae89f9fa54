/** How many errors and warnings the answer to an upload lists. Apart from the DTOs: the ZIP workers load no Swagger. */
export const LISTED_MAX = 100;
