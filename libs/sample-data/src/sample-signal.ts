/** A signal as the entry of a ZIP. */
export interface SampleSignal {
  entryName: string;
  content: Buffer;
}
