import { type ReactNode, useEffect, useRef, useState } from 'react';

const AHEAD = '200px';

/** Shows its content when it is nearly in view, so that its program is not part of the first load. @param height in pixels, until then */
export function WhenNear({ height, children }: { height: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} style={isNear ? undefined : { minHeight: height }}>
      {isNear && children}
    </div>
  );
}
