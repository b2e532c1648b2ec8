// Marks fields in the query editor, and follows its cursor.
import { useEffect, useRef, useState } from 'react';
import { pick, useGraphiQL } from '@graphiql/react';
import { fieldsAt, fieldsOf } from './document.js';

const samePlace = (a) => (b) => a.line === b.line && a.column === b.column;

/** Returns a function that marks the fields of Reads in the editor, and shows the first. */
export function useMarks() {
  const { queryEditor } = useGraphiQL(pick('queryEditor'));
  const marks = useRef(undefined);
  useEffect(() => {
    const clear = () => marks.current?.clear();
    const changed = queryEditor?.onDidChangeModelContent(clear);
    return () => {
      changed?.dispose();
      clear();
    };
  }, [queryEditor]);
  return (reads) => {
    const model = queryEditor?.getModel();
    if (!model) return;
    const fields = fieldsOf(model.getValue());
    const found = reads.flatMap((read) => fields.filter(samePlace(read)));
    const ranges = found.map(({ from, to }) => rangeOf(model, from, to));
    marks.current?.clear();
    marks.current = queryEditor.createDecorationsCollection(
      ranges.map((range) => ({ range, options: { inlineClassName: 'plan-marked' } })),
    );
    if (ranges.length > 0) {
      queryEditor.setPosition({ lineNumber: ranges[0].startLineNumber, column: ranges[0].startColumn });
      queryEditor.revealRangeInCenterIfOutsideViewport(ranges[0]);
    }
  };
}

function rangeOf(model, from, to) {
  const [start, end] = [model.getPositionAt(from), model.getPositionAt(to)];
  return {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
}

/** The places of the fields around the cursor, the innermost one first. */
export function useCursor() {
  const { queryEditor } = useGraphiQL(pick('queryEditor'));
  const [places, setPlaces] = useState([]);
  useEffect(() => {
    if (!queryEditor) return undefined;
    let frame;
    const find = () => {
      const model = queryEditor.getModel();
      setPlaces(fieldsAt(fieldsOf(model.getValue()), model.getOffsetAt(queryEditor.getPosition())));
    };
    // The cursor moves with each character that is typed or pasted.
    const moved = queryEditor.onDidChangeCursorPosition(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(find);
    });
    return () => {
      cancelAnimationFrame(frame);
      moved.dispose();
    };
  }, [queryEditor]);
  return places;
}

/** The box of the innermost field around the cursor that has one. */
export function boxAt(columns, places) {
  const boxes = columns.flatMap(({ boxes }) => boxes);
  for (const place of places) {
    const box = boxes.find(({ reads }) => reads.some(samePlace(place)));
    if (box) return box.key;
  }
  return undefined;
}
