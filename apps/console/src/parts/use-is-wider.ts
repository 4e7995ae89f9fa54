import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Whether the first child of an element is wider than the element. */
export function useIsWider<Place extends HTMLElement>(): [place: RefObject<Place | null>, isWider: boolean] {
  const place = useRef<Place>(null);
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const outer = place.current!;
    const inner = outer.firstElementChild as HTMLElement;
    const measure = () => setWider(inner.offsetWidth > outer.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return [place, isWider];
}
