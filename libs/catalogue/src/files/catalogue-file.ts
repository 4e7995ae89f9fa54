/** One file of a catalogue: a single file, or in a directory or an archive. */
export interface CatalogueFile {
  /** For messages: the path, with the entry if it is an archive. */
  name: string;
  /** The name without folders: publishers mark the kind of a file with it. */
  baseName: string;
  /** Its bytes, unpacked. Can be requested once, before the next file is. */
  content(): AsyncIterable<Buffer>;
}

export interface ReadOptions {
  /** Receives how many bytes of the files on disk have been read so far, packed as they are. */
  onBytes?: (bytes: number) => void;
}

/** Adds up what several files have read. */
export class ReadBytes {
  private bytes = 0;
  constructor(private readonly onBytes: ReadOptions['onBytes']) {}

  add(bytes: number): void {
    this.bytes += bytes;
    this.onBytes?.(this.bytes);
  }
}
