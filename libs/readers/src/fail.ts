/**
 * Creates the error of a stream that cannot be read to its end, with the name of its file. The problem never quotes the
 * content.
 * @param place such as `line 12`; null for the stream as a whole
 */
export type Fail = (place: string | null, problem: string) => Error;
