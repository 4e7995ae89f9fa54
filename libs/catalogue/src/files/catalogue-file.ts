/** One file of a catalogue, wherever it lies: alone, in a directory or in an archive. */
export interface CatalogueFile {
  /** For messages: the path, with the entry where it is an archive. */
  name: string;
  /** The name alone, without folders: by it publishers tell what a file is. */
  baseName: string;
  /** Its bytes, unpacked. Can be asked for once, before the next file is. */
  content(): AsyncIterable<Buffer>;
}

export interface ReadOptions {
  /** Hears how many bytes of the files on disk have been read so far, packed as they are. */
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
