/** A body of which all but the last byte is sent until `end` is called. */
export function slowBody(text: string): { body: ReadableStream; end: () => void } {
  const bytes = new TextEncoder().encode(text);
  let end = () => {};
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, -1));
      end = () => {
        controller.enqueue(bytes.subarray(-1));
        controller.close();
      };
    },
  });
  return { body, end };
}
