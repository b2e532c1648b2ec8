import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * The heading of a page, and its title in the tab. If a link or a form has led here, the focus goes to the heading, so
 * that a screen reader begins with the new page.
 */
export function Title({ text, children = text }: { text: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = useRef(useLocation().key);
  useEffect(() => {
    document.title = `${text} · Kettle & Key`;
  }, [text]);
  useEffect(() => {
    if (opened.current !== 'default') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
